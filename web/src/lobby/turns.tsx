import { get } from "../api/http.ts";
import type { OwnTable } from "../api/types.ts";
import { span, t } from "../i18n/index.ts";
import { daysLeft } from "./describe.ts";

/** The open tables of this person: those that wait for them first, the most urgent at the top. */
export async function ownTables(): Promise<OwnTable[]> {
  const tables = await get<OwnTable[]>("/me/tables");
  const urgency = ({ your_turn: mine, deadline }: OwnTable) => (mine ? (deadline ?? Number.MAX_VALUE) : Infinity);
  // The sort keeps the server's order, the most recently used first, where nothing is urgent.
  return tables.sort((one, two) => (urgency(one) === urgency(two) ? 0 : urgency(one) - urgency(two)));
}

const HOUR = 3_600_000;

/** Whose turn it is and how much time is left, where somebody may want to plan for it. */
export function TurnMark({ table }: { table: OwnTable }) {
  const left = table.deadline === null ? null : table.deadline - Date.now();
  const slow = left !== null && left > HOUR;
  const time = left !== null && left > 0 ? <small>{t("turn.left", { time: daysLeft(left) || span(left) })}</small> : null;
  if (table.your_turn) {
    return (
      <span class="turn-mark">
        <em class="badge">{t("yourTurn")}</em>
        {time}
      </span>
    );
  }
  if (!slow || table.status !== "playing") return null;
  return (
    <span class="turn-mark">
      <small>{t("turn.theirs")}</small>
      {time}
    </span>
  );
}
