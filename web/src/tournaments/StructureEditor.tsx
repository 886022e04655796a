import type { Settings } from "../api/types.ts";
import { num, t } from "../i18n/index.ts";
import { Choice, Field } from "../ui/Field.tsx";
import type { Break, Format, Level } from "./types.ts";

interface Props {
  format: Format;
  byHands: boolean;
  levels: readonly Level[] | undefined;
  breaks: readonly Break[] | undefined;
  onChange(change: Settings): void;
}

/** Where an own structure begins: blinds that go with the usual stack of the format. */
const FIRST: Record<"sitngo" | "mtt", readonly (readonly [small: number, big: number, ante: number])[]> = {
  sitngo: [[10, 20, 0], [15, 30, 0], [25, 50, 0], [50, 100, 0], [75, 150, 0], [100, 200, 25], [150, 300, 40], [250, 500, 60], [400, 800, 100], [600, 1200, 150]],
  mtt: [[50, 100, 0], [75, 150, 0], [100, 200, 0], [150, 300, 40], [200, 400, 50], [300, 600, 75], [400, 800, 100], [600, 1200, 150], [800, 1600, 200], [1000, 2000, 250], [1500, 3000, 400], [2000, 4000, 500]],
};
const MINUTES = { sitngo: 6, mtt: 12 };
const HANDS = { sitngo: 10, mtt: 15 };

type Mine = "proposed" | "own";
type Unit = "minutes" | "hands";

/** The levels: as the server proposes them for the stack, or row by row. */
export function StructureEditor({ format, byHands, levels, breaks, onChange }: Props) {
  const kind = format === "sitngo" ? "sitngo" : "mtt";
  const own = Boolean(levels?.length);
  const rows = levels ?? [];
  const length = (byHands ? HANDS : MINUTES)[kind];
  const rests = new Map((breaks ?? []).map(([after, minutes]) => [after, minutes]));
  const write = (next: readonly Level[]) => onChange({ levels: next as unknown as Settings[string] });
  const rest = (after: number, minutes: number) => {
    const next = new Map(rests);
    if (minutes > 0) next.set(after, minutes);
    else next.delete(after);
    onChange({ breaks: [...next].toSorted(([one], [two]) => one - two) });
  };
  const begin = (mine: Mine) => {
    if (mine === "own") write(FIRST[kind].map(([small, big, ante]) => [length, small, big, ante]));
    else onChange({ levels: [], breaks: null });
  };
  const add = () => {
    const [last, small, big, ante] = rows.at(-1) ?? [length, 10, 20, 0];
    write([...rows, [last, small * 2, big * 2, ante * 2]]);
  };
  const cell = (row: number, column: 0 | 1 | 2 | 3, name: string) => (
    <input
      type="number"
      inputMode="numeric"
      aria-label={`${t("tour.level.n", { n: num(row + 1) })}, ${name}`}
      required
      min={column === 3 ? 0 : 1}
      step={column === 0 ? "any" : 1}
      value={rows[row]?.[column] ?? 0}
      onInput={(event) => {
        const value = event.currentTarget.valueAsNumber;
        if (Number.isFinite(value)) write(rows.map((level, at) => (at === row ? (level.map((old, place) => (place === column ? value : old)) as unknown as Level) : level)));
      }}
    />
  );
  const unit = t(byHands ? "tour.hands" : "tour.minutes");
  return (
    <div class="stack">
      <Choice<Unit>
        label={t("tset.level_by")}
        value={byHands ? "hands" : "minutes"}
        options={[
          ["minutes", t("tour.minutes")],
          ["hands", t("tour.hands")],
        ]}
        onChange={(by) => onChange({ level_by: by, ...(own && { levels: rows.map(([, ...stakes]) => [(by === "hands" ? HANDS : MINUTES)[kind], ...stakes]) }) })}
      />
      <Choice<Mine>
        label={t("tour.levels")}
        value={own ? "own" : "proposed"}
        options={[
          ["proposed", t("tour.levels.proposed")],
          ["own", t("tour.levels.own")],
        ]}
        onChange={begin}
      />
      {own && (
        <>
          <Field label={t(byHands ? "tour.levels.hands" : "tour.levels.minutes")}>
            {(id) => (
              <input
                id={id}
                type="number"
                inputMode="numeric"
                min={1}
                step="any"
                value={rows[0]?.[0] ?? length}
                onInput={(event) => {
                  const all = event.currentTarget.valueAsNumber;
                  if (all > 0) write(rows.map(([, small, big, ante]) => [all, small, big, ante]));
                }}
              />
            )}
          </Field>
          <div class="scroll-x" tabIndex={0} role="region" aria-label={t("tour.levels")}>
            <table class="levels-editor">
              <thead>
                <tr>
                  <th scope="col">{t("tour.level")}</th>
                  <th scope="col">{unit}</th>
                  <th scope="col">{t("set.small_blind")}</th>
                  <th scope="col">{t("set.big_blind")}</th>
                  <th scope="col">{t("set.ante")}</th>
                  <th scope="col">{t("tour.breakAfter")}</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {rows.map((_, row) => (
                  <tr key={row}>
                    <th scope="row">{num(row + 1)}</th>
                    <td>{cell(row, 0, unit)}</td>
                    <td>{cell(row, 1, t("set.small_blind"))}</td>
                    <td>{cell(row, 2, t("set.big_blind"))}</td>
                    <td>{cell(row, 3, t("set.ante"))}</td>
                    <td>
                      <input
                        type="number"
                        inputMode="numeric"
                        aria-label={`${t("tour.level.n", { n: num(row + 1) })}, ${t("tour.breakAfter")}`}
                        min={0}
                        step="any"
                        value={rests.get(row + 1) ?? 0}
                        onInput={(event) => rest(row + 1, event.currentTarget.valueAsNumber || 0)}
                      />
                    </td>
                    <td>
                      <button type="button" class="button small" aria-label={t("tour.level.remove", { n: num(row + 1) })} disabled={rows.length < 2} onClick={() => write(rows.filter((__, at) => at !== row))}>
                        ×
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <button type="button" class="button lone" onClick={add}>
            {t("tour.level.add")}
          </button>
        </>
      )}
    </div>
  );
}
