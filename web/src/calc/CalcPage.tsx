import { GamePages } from "../games/GamePages.tsx";
import { t, type Key } from "../i18n/index.ts";
import { Equity } from "./Equity.tsx";
import { Evaluator } from "./Evaluator.tsx";
import { Pots } from "./Pots.tsx";
import { Showdown } from "./Showdown.tsx";
import "../styles/calc.css";

const SECTIONS: readonly (readonly [string, Key])[] = [
  ["", "calc.hand"],
  ["equity", "calc.equity"],
  ["pots", "calc.pots"],
  ["showdown", "calc.showdown"],
];

/** The calculators: no table needed, the same core as at the tables. */
export function CalcPage({ section }: { section: string }) {
  return (
    <div class="page">
      <h1>{t("calc.title")}</h1>
      <nav class="segments" aria-label={t("calc.title")}>
        {SECTIONS.map(([name, key]) => (
          <a key={name} class={section === name ? "segment on" : "segment"} href={name ? `/calc/${name}` : "/calc"} aria-current={section === name ? "page" : undefined}>
            {t(key)}
          </a>
        ))}
      </nav>
      {section === "equity" ? <Equity /> : section === "pots" ? <Pots /> : section === "showdown" ? <Showdown /> : <Evaluator />}
      <GamePages />
    </div>
  );
}
