import type { Json, JsonSchema, Settings } from "../api/types.ts";
import { Field, Switch } from "../ui/Field.tsx";
import { Typed } from "../ui/Typed.tsx";
import { num, t, tryT } from "../i18n/index.ts";
import { ChoiceRows, type Column } from "./ChoiceRows.tsx";
import { optionName, plain, settingName } from "./describe.ts";

interface Props {
  schema: JsonSchema;
  values: Settings;
  onChange(values: Settings): void;
  /** Whether the settings are called as the game describes them: it has no words in the catalogue. */
  described?: boolean;
}

/** The order of the groups; those that only a game knows come last. */
const GROUPS = ["extras", "betting", "chips", "special", "pace", "watching"];

/**
 * A form made from the JSON Schema of a game's settings: those that everybody looks at, then groups that are closed at first.
 * Lists, such as blind levels, come with the presets.
 */
export function SettingsForm({ schema, values, onChange, described }: Props) {
  const { properties } = resolve(schema, schema);
  const all = Object.entries(properties ?? {}).map(([name, raw]) => ({ name, raw, part: resolve(raw, schema) }));
  const valueOf = ({ name, raw, part }: (typeof all)[number]) => values[name] ?? part.default ?? raw.default ?? null;
  const chosen = new Map(all.map((setting) => [setting.name, valueOf(setting)]));
  const settings = all.filter(({ raw }) => Object.entries(raw.only_with ?? {}).every(([other, wanted]) => wanted.includes(chosen.get(other) ?? null)));
  const control = ({ name, raw, part }: (typeof settings)[number]) => {
    const value = chosen.get(name) ?? null;
    const set = (next: Json) => onChange({ ...values, ...(next === true && rivalsOff(name, properties ?? {})), [name]: next });
    const label = (described && (raw.description ?? part.description)) || settingName(name, properties);
    const columns = columnsOf(part, schema, all);
    if (columns) return <ChoiceRows key={name} label={label} columns={columns} value={value} onChange={set} />;
    return <Setting key={name} label={label} name={name} schema={part} value={value} onChange={set} />;
  };
  const grids = (shown: typeof settings) => (
    <>
      <div class="settings-grid">{shown.filter(({ part }) => part.type !== "boolean").map(control)}</div>
      <div class="settings-grid switches">{shown.filter(({ part }) => part.type === "boolean").map(control)}</div>
    </>
  );
  const differs = ({ name, raw, part }: (typeof settings)[number]) => JSON.stringify(chosen.get(name) ?? null) !== JSON.stringify(part.default ?? raw.default ?? null);
  const named = [...new Set(settings.flatMap(({ raw }) => raw.group ?? []))];
  const groups = [...GROUPS.filter((group) => named.includes(group)), ...named.filter((group) => !GROUPS.includes(group))];
  return (
    <div class="stack" onInvalidCapture={openGroup}>
      {grids(settings.filter(({ raw }) => !raw.group))}
      <div class="settings-groups">
        {groups.map((group) => {
          const inside = settings.filter(({ raw }) => raw.group === group);
          const changed = inside.filter(differs).length;
          return (
            <details key={group}>
              <summary>
                <span>{tryT(`set.group.${group}`, plain(group))}</span>
                {changed > 0 && <small class="badge">{t("set.changed", { n: num(changed) })}</small>}
              </summary>
              {grids(inside)}
            </details>
          );
        })}
      </div>
    </div>
  );
}

/** A field that keeps the form from being sent is shown. */
function openGroup(event: Event): void {
  (event.target as Element).closest("details")?.setAttribute("open", "");
}

/** The choices in each row of a list of rows, called like those of the settings that have the same options; null for anything else. */
function columnsOf(part: JsonSchema, whole: JsonSchema, all: readonly { name: string; raw: JsonSchema; part: JsonSchema }[]): Column[] | null {
  const row = part.type === "array" && part.items ? resolve(part.items, whole).prefixItems : undefined;
  if (!row?.length) return null;
  const columns = row.map((one) => {
    const options = (resolve(one, whole).enum ?? []).map(String);
    const same = all.find((other) => other.part.enum?.map(String).toSorted().join() === options.toSorted().join());
    return { options, setting: same?.name ?? "", usual: String(same?.raw.default ?? same?.part.default ?? options[0]) };
  });
  return columns.every(({ options, setting }) => options.length && setting) ? columns : null;
}

/** What is switched off when a setting is switched on: whatever the game says cannot be on together with it. */
function rivalsOff(name: string, properties: Record<string, JsonSchema>): Settings {
  const rivals = Object.keys(properties).filter((other) => properties[name]?.not_with?.includes(other) || properties[other]?.not_with?.includes(name));
  return Object.fromEntries(rivals.map((other) => [other, false]));
}

/** The schema of one setting; where it may also be null, `nullable` says so. */
export function resolve(part: JsonSchema, whole: JsonSchema): JsonSchema & { nullable?: boolean } {
  if (part.$ref) return resolve(whole.$defs?.[part.$ref.split("/").pop() ?? ""] ?? {}, whole);
  const choice = part.anyOf?.find((one) => one.type !== "null");
  return choice ? { ...resolve(choice, whole), default: part.default ?? null, nullable: true } : part;
}

interface SettingProps {
  label: string;
  name: string;
  schema: JsonSchema & { nullable?: boolean };
  value: Json;
  onChange(value: Json): void;
}

/** The control of one setting, or of one field of an action. */
export function Setting({ label, name, schema, value, onChange }: SettingProps) {
  if (schema.enum) {
    return (
      <Field label={label}>
        {(id) => (
          <select id={id} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)}>
            {schema.enum?.map((option) => (
              <option key={String(option)} value={String(option)}>
                {optionName(name, String(option))}
              </option>
            ))}
          </select>
        )}
      </Field>
    );
  }
  if (schema.type === "boolean") return <Switch label={label} checked={value === true} onChange={onChange} />;
  if (schema.type === "integer" || schema.type === "number") {
    return (
      <Field label={label}>
        {(id) => (
          <input
            id={id}
            type="number"
            inputMode={schema.type === "integer" ? "numeric" : "decimal"}
            step={schema.type === "integer" ? 1 : "any"}
            min={schema.minimum}
            max={schema.maximum}
            required={!schema.nullable}
            value={typeof value === "number" ? value : ""}
            onInput={(event) => {
              const { value: text } = event.currentTarget;
              if (text !== "") onChange(Number(text));
              else if (schema.nullable) onChange(null);
            }}
          />
        )}
      </Field>
    );
  }
  if (schema.type === "string") {
    return (
      <Field label={label}>
        {(id) => <input id={id} maxLength={schema.maxLength} value={String(value ?? "")} onInput={(event) => onChange(event.currentTarget.value || (schema.nullable ? null : ""))} />}
      </Field>
    );
  }
  const item = schema.items?.type;
  if (schema.type === "array" && (item === "integer" || item === "number" || item === "string")) {
    const read = (text: string): Json[] => text.split(",").map((one) => one.trim()).filter(Boolean).map((one) => (item === "string" ? one : Number(one)));
    return (
      <Field label={label} hint={t("set.list")}>
        {(id) => <Typed id={id} value={Array.isArray(value) ? value.join(", ") : ""} onDone={(text) => onChange(read(text))} />}
      </Field>
    );
  }
  return null;
}
