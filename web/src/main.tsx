import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { followLinks, path, search } from "./app/router.ts";
import { meetMe } from "./app/session.ts";
import { Shell } from "./app/Shell.tsx";
import { keepTitle } from "./app/title.ts";
import { loadFonts } from "./art/fonts.ts";
import { pageAt, roomOf, usualGame } from "./games/index.ts";
import { loadLanguage, loadWords, t, type Area } from "./i18n/index.ts";
import { lazy } from "./ui/Lazy.tsx";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/controls.css";
import "./styles/ui.css";
import "./styles/lobby.css";

/** A part of the app, and the words it needs. */
async function withWords<T>(part: Promise<T>, ...areas: Area[]): Promise<T> {
  const [loaded] = await Promise.all([part, loadWords(...areas)]);
  return loaded;
}

const Lobby = lazy(async () => (await import("./lobby/Lobby.tsx")).Lobby);
const Table = lazy<{ code: string }>(async () => {
  // Most tables are of the game that was played last: its room comes along with the page of the table.
  void roomOf(usualGame()).catch(() => null);
  return (await import("./table/TablePage.tsx")).TablePage;
});
const Calculators = lazy<{ section: string }>(async () => (await withWords(import("./calc/CalcPage.tsx"), "calc", "holdem", "refusals")).CalcPage);
const History = lazy<{ place: string; code?: string; round?: number }>(async () => (await withWords(import("./history/HistoryPage.tsx"), "history", "stats")).HistoryPage);
const Me = lazy(async () => (await withWords(import("./me/MePage.tsx"), "me", "house", "stats")).MePage);
const Stats = lazy<{ place: string; id: string }>(async () => (await withWords(import("./stats/StatsPages.tsx"), "stats")).StatsPages);
const Tournaments = lazy(async () => (await withWords(import("./tournaments/TournamentsPage.tsx"), "tournaments")).TournamentsPage);
const Tournament = lazy<{ code: string; part: string }>(async () => (await withWords(import("./tournaments/TournamentPage.tsx"), "tournaments")).TournamentPage);
const House = lazy(async () => (await withWords(import("./house/HousePage.tsx"), "house", "me", "refusals", "tournaments")).HousePage);
const Transfer = lazy(async () => (await withWords(import("./me/TransferPage.tsx"), "me")).TransferPage);

function Page() {
  const [, place, first, second] = path.value.split("/");
  switch (place) {
    case "":
      return <Lobby />;
    case "t":
      return <Table key={first} code={(first ?? "").toUpperCase()} />;
    case "tournaments":
      return <Tournaments />;
    case "tournament":
      return <Tournament key={first} code={(first ?? "").toUpperCase()} part={second ?? ""} />;
    case "calc":
      return <Calculators section={first ?? ""} />;
    case "replay":
    case "history":
      return <History key={path.value} place={place} code={first} round={second ? Number(second) : undefined} />;
    case "me":
      return <Me />;
    case "stats":
    case "ratings":
    case "ladder":
    case "people":
      return <Stats place={place} id={first ?? ""} />;
    case "admin":
      return <House />;
    case "transfer":
      return <Transfer />;
    default: {
      const game = pageAt(path.value);
      if (game) return <game.Page key={search.value} />;
      return (
        <section class="page narrow">
          <h1>{t("lost.title")}</h1>
          <a class="button primary" href="/">
            {t("lost.back")}
          </a>
        </section>
      );
    }
  }
}

function App() {
  const here = path.value;
  const first = useRef(true);
  useEffect(() => {
    // Whoever follows a link by keyboard or ear goes on reading at the new page's beginning.
    if (!first.current) document.getElementById("main")?.focus({ preventScroll: true });
    first.current = false;
  }, [here]);
  return (
    <Shell>
      <Page />
    </Shell>
  );
}

followLinks();
keepTitle();
meetMe();
void loadLanguage();
loadFonts();
/** The lobby is named in the page and comes along with the app: it is shown whole, and not after a word that it is on its way. */
async function start(): Promise<void> {
  if (path.value === "/") await Lobby.fetch().catch(() => undefined);
  const root = document.getElementById("app");
  if (!root) return;
  root.textContent = "";
  render(<App />, root);
}

void start();
if ("serviceWorker" in navigator && import.meta.env.PROD) {
  // What opens the shell offline is fetched when the page itself has what it needs.
  const register = () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  addEventListener("load", () => setTimeout(register, 3000));
}
