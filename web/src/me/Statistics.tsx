import { get } from "../api/http.ts";
import { fixed, num, t, tryT } from "../i18n/index.ts";
import { lazy } from "../ui/Lazy.tsx";
import { useLoaded } from "../ui/useLoaded.ts";

type Tally = Record<string, number>;

const Chart = lazy(async () => (await import("./Chart.tsx")).Chart);

/** What this person has played, counted by the server from the finished rounds. */
export function Statistics() {
  const games = useLoaded(() => get<Record<string, Tally>>("/me/statistics"), []);
  const played = Object.entries(games ?? {}).filter(([, tally]) => Object.keys(tally).length);
  return (
    <section class="panel" aria-labelledby="statistics">
      <h2 id="statistics">{t("stats.title")}</h2>
      {played.length ? (
        played.map(([game, tally]) => (
          <div key={game}>
            <h3>{tryT(`game.${game}`, game)}</h3>
            <dl class="facts tiles">
              {(game === "holdem" ? pokerFacts(tally) : plainFacts(tally)).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            {game === "holdem" && <Chart />}
          </div>
        ))
      ) : (
        <p class="empty">{games === undefined ? t("loading") : t("stats.none")}</p>
      )}
    </section>
  );
}

function plainFacts(tally: Tally): [string, string][] {
  return Object.entries(tally).map(([name, value]) => [tryT(`stat.${name}`, name.replaceAll("_", " ")), num(value)]);
}

/** The usual figures, from the counts that the server keeps. */
function pokerFacts(tally: Tally): [string, string][] {
  const of = (name: string) => tally[name] ?? 0;
  const percent = (part: string, whole: string) => (of(whole) ? `${fixed((100 * of(part)) / of(whole), 0)} %` : "–");
  const hands = of("hands");
  return [
    [t("stat.hands"), num(hands)],
    [t("stat.net"), num(of("net"))],
    [t("stat.bb100"), hands ? fixed(of("net_centiblinds") / hands, 1) : "–"],
    ["VPIP", percent("vpip", "hands")],
    ["PFR", percent("pfr", "hands")],
    ["3-bet", percent("three_bets", "three_bet_chances")],
    [t("stat.aggression"), of("calls") ? fixed(of("aggressive") / of("calls"), 1) : "–"],
    ["WTSD", percent("showdowns", "flops")],
    [t("stat.wonAtShowdown"), percent("showdowns_won", "showdowns")],
  ];
}
