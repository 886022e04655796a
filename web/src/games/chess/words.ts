import { t, tryT } from "../../i18n/index.ts";
import type { Colour } from "./types.ts";

/** A move as one says it: 'knight takes f3, check'. */
export function spokenMove(san: string): string {
  if (san.startsWith("O-O-O")) return t("move.long") + closing(san);
  if (san.startsWith("O-O")) return t("move.short") + closing(san);
  const drop = /^([QRBNP]?)@([a-h][1-8])/.exec(san);
  if (drop) return t("move.drop", { piece: tryT(`piece.${drop[1] || "P"}`, "P"), square: drop[2] ?? "" }) + closing(san);
  const parts = /^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?/.exec(san);
  if (!parts) return san;
  const [, piece, from, takes, to, promotion] = parts;
  const words = [piece ? tryT(`piece.${piece}`, piece) : "", from, takes ? t("move.takes") : "", to];
  if (promotion) words.push(t("move.promotes", { piece: tryT(`piece.${promotion}`, promotion) }));
  return words.filter(Boolean).join(" ") + closing(san);
}

function closing(san: string): string {
  if (san.endsWith("#")) return `, ${t("move.mate")}`;
  return san.endsWith("+") ? `, ${t("move.check")}` : "";
}

/** Who the winner is, and by which rules was played, where that is known. */
interface EndOf {
  name?: string;
  variant?: string;
}

/** How a game ended: 'Anna wins by checkmate', 'White wins on time', 'Draw by agreement'. */
export function ending(winner: Colour | null | undefined, reason: unknown, { name, variant }: EndOf = {}): string {
  const code = String(reason);
  if (code === "aborted") return t("over.aborted");
  if (code === "forfeit" && !winner) return t("over.forfeit");
  const known = tryT(`reason.${code}`, code.replaceAll("_", " "));
  const words = code === "variant" && winner ? tryT(`reason.variant.${variant}`, known) : known;
  if (!winner) return code === "time" || code === "abandoned" ? t(`over.draw.${code}`) : t("over.draw", { reason: words });
  return name ? t("over.name", { name, reason: words }) : t(`over.${winner}`, { reason: words });
}
