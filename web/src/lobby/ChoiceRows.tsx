import { useEffect } from "preact/hooks";
import type { Json } from "../api/types.ts";
import { num, t } from "../i18n/index.ts";
import { optionName } from "./describe.ts";

/** One of the choices in a row: the setting that has the same options, and those options. */
export interface Column {
  setting: string;
  options: string[];
  /** The one that the first row begins with. */
  usual: string;
}

interface Props {
  label: string;
  columns: Column[];
  value: Json;
  onChange(value: Json): void;
}

/** A list of rows, each with a few choices: the games of a rotation. It begins with two different rows. */
export function ChoiceRows({ label, columns, value, onChange }: Props) {
  const rows = (Array.isArray(value) ? value : []) as string[][];
  const fresh = (index: number) => columns.map(({ options, usual }) => options[(options.indexOf(usual) + index) % options.length] ?? usual);
  useEffect(() => {
    if (!rows.length) onChange([fresh(0), fresh(1)]);
  }, []);
  const change = (index: number, column: number, option: string) =>
    onChange(rows.map((row, at) => (at === index ? row.map((one, place) => (place === column ? option : one)) : row)));
  return (
    <fieldset class="choice-rows">
      <legend>{label}</legend>
      {rows.map((row, index) => (
        <div key={index} class="choice-row" role="group" aria-label={t("set.games.n", { n: num(index + 1) })}>
          {columns.map(({ setting, options }, column) => (
            <select key={setting} aria-label={`${t("set.games.n", { n: num(index + 1) })}, ${t(setting === "limit" ? "set.limit" : "set.variant")}`} value={row[column]} onChange={(event) => change(index, column, event.currentTarget.value)}>
              {options.map((option) => (
                <option key={option} value={option}>
                  {optionName(setting, option)}
                </option>
              ))}
            </select>
          ))}
          <button type="button" class="button" aria-label={t("set.games.remove", { n: num(index + 1) })} disabled={rows.length < 3} onClick={() => onChange(rows.filter((_, at) => at !== index))}>
            ×
          </button>
        </div>
      ))}
      <button type="button" class="button" onClick={() => onChange([...rows, fresh(rows.length)])}>
        {t("set.games.add")}
      </button>
    </fieldset>
  );
}
