import type { ComponentChildren } from "preact";
import { loadWords, t, type Key } from "../i18n/index.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { Toasts } from "../ui/Toasts.tsx";
import { dialogs, spoken } from "./live.ts";
import { NameDialog } from "./NameDialog.tsx";
import { path } from "./router.ts";
import { renewable } from "./session.ts";

/** Seen a few weeks in a year. */
const StaySignedIn = lazy(async () => {
  const [part] = await Promise.all([import("../me/StaySignedIn.tsx"), loadWords("me")]);
  return part.StaySignedIn;
}, true);

/** The places that one goes to, each with the pages that belong to it. */
const PLACES: readonly (readonly [string, Key, IconName, RegExp])[] = [
  ["/", "nav.play", "home", /^\/($|tour)/],
  ["/calc", "nav.calc", "calc", /^\/calc/],
  ["/history", "nav.history", "history", /^\/(history|replay)/],
  ["/me", "nav.me", "user", /^\/(me|stats|ratings|ladder|people)/],
];

/** What surrounds every page: the way around, notices, and the voice for screen readers. */
export function Shell({ children }: { children: ComponentChildren }) {
  // A table has the window to itself, as the clock on the wall has.
  const atTable = /^\/t\/|\/clock$/.test(path.value);
  return (
    <div class={atTable ? "shell at-table" : "shell"}>
      <a class="skip" href="#main">
        {t("skip")}
      </a>
      {!atTable && <Nav />}
      <main id="main" tabIndex={-1}>
        {!atTable && renewable.value && <StaySignedIn />}
        {children}
      </main>
      <Voice />
      {!dialogs.value.length && <Toasts />}
      <NameDialog />
    </div>
  );
}

function Nav() {
  return (
    <header class="site-head">
      <a class="brand" href="/" aria-label="Parlour">
        <svg viewBox="0 0 64 64" width="30" height="30" aria-hidden="true">
          <rect width="64" height="64" rx="15" class="brand-felt" />
          <path class="brand-spade" d="M32 11c7 9 17 14 17 24 0 6-4 9-8 9-3 0-5-1-7-3 0 5 2 9 5 12H25c3-3 5-7 5-12-2 2-4 3-7 3-4 0-8-3-8-9 0-10 10-15 17-24z" />
        </svg>
        <span>Parlour</span>
      </a>
      <nav aria-label={t("nav.label")}>
        {PLACES.map(([to, key, icon, pages]) => (
          <a key={to} href={to} aria-current={pages.test(path.value) ? "page" : undefined}>
            <Icon name={icon} />
            <span>{t(key)}</span>
          </a>
        ))}
      </nav>
    </header>
  );
}

function Voice() {
  return (
    <div class="visually-hidden" role="log" aria-live="polite" aria-label={t("live.label")}>
      {spoken.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
