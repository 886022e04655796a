import { fixed, num, t } from "../../i18n/index.ts";
import type { Tally } from "../game.ts";

/** The usual figures, from the counts that the server keeps. */
export function pokerFacts(tally: Tally): [string, string][] {
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
