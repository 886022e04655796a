import type { Json, JsonSchema, Settings } from "../api/types.ts";
import { loadOffered } from "../games/offered.ts";
import { t, tryT } from "../i18n/index.ts";
import { optionName, settingName } from "../lobby/describe.ts";
import { resolve } from "../lobby/SettingsForm.tsx";
import { Choice, Field, Switch } from "../ui/Field.tsx";
import { Typed } from "../ui/Typed.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { FIELDS, type TournamentField } from "./fields.ts";
import type { TournamentPreset } from "./presets.ts";
import { StructureEditor } from "./StructureEditor.tsx";
import type { Break, Format, Level } from "./types.ts";
import { startSentence } from "./words.ts";

interface Props {
  game: string;
  preset: TournamentPreset;
  chosen: Settings;
  onChange(chosen: Settings): void;
}

const GROUPS = ["play", "buying", "prizes", "pace"] as const;
const ENTRIES: Record<Format, number> = { sitngo: 9, mtt: 1000, round_robin: 20, swiss: 300, knockout: 1000, arena: 1000 };
/** So many at most: a round robin of more would never end. */
const MOST: Partial<Record<Format, number>> = { round_robin: 100, swiss: 300 };

/** What the host of a new tournament may choose besides its kind. Only what is changed is sent. */
export function SettingsOf({ game, preset, chosen, onChange }: Props) {
  const { format } = preset;
  const games = useLoaded(loadOffered, []);
  const schema = games?.find(({ name }) => name === game)?.settings;
  const given = { ...preset.settings, ...chosen } as Settings;
  const tables = { ...(preset.settings.table as Settings), ...(chosen.table as Settings) };
  const valueOf = ({ name, table, usual }: TournamentField): Json => (table ? tables[name] : given[name]) ?? usual;
  const set = ({ name, table }: TournamentField, value: Json) => onChange(table ? { ...chosen, table: { ...(chosen.table as Settings), [name]: value } } : { ...chosen, [name]: value });
  const shown = FIELDS.filter((field) => field.formats.includes(format) && (!field.with || given[field.with])).map((field) => withChoices(field, schema));
  const poker = format === "sitngo" || format === "mtt";
  return (
    <div class="stack more-settings">
      <Start format={format} given={given} onChange={(change) => onChange({ ...chosen, ...change })} />
      <div class="settings-groups">
        {GROUPS.map((group) => {
          const inside = shown.filter((field) => field.group === group);
          if (!inside.length) return null;
          return (
            <details key={group} open={group === "play"}>
              <summary>
                <span>{t(group === "buying" && !poker ? "tour.late" : `tour.group.${group}`)}</span>
              </summary>
              <div class="settings-grid">
                {inside.map((field) => (
                  <One key={`${field.table} ${field.name}`} field={field} value={valueOf(field)} onChange={(value) => set(field, value)} />
                ))}
              </div>
            </details>
          );
        })}
        {poker && (
          <details>
            <summary>
              <span>{t("tour.structure")}</span>
            </summary>
            <StructureEditor
              format={format}
              byHands={given.level_by === "hands"}
              levels={given.levels as unknown as Level[] | undefined}
              breaks={given.breaks as unknown as Break[] | undefined}
              onChange={(change) => onChange({ ...chosen, ...change })}
            />
          </details>
        )}
      </div>
    </div>
  );
}

/** The field of a table's choice, with what the game lets one choose. */
function withChoices(field: TournamentField, schema: JsonSchema | undefined): TournamentField {
  const part = schema?.properties?.[field.name];
  if (!schema || !part || !field.table || field.kind !== "choice") return field;
  const choice = resolve(part, schema);
  return { ...field, options: (choice.enum ?? []).map(String), usual: part.default ?? choice.default ?? null };
}

/** What a field is called: where tables have the same setting, as there. Late entry ends with a level, or in chess with a round. */
function nameOf({ name, table, formats }: TournamentField): string {
  if (name === "late_until") return t(formats.includes("swiss") ? "tset.late_until.round" : "tset.late_until.level");
  return table ? settingName(name) : tryT(`tset.${name}`, settingName(name));
}

function One({ field, value, onChange }: { field: TournamentField; value: Json; onChange(value: Json): void }) {
  const { name, kind, options, min, max, step } = field;
  const label = nameOf(field);
  if (kind === "switch") return <Switch label={label} checked={value === true} onChange={onChange} />;
  return (
    <Field label={label}>
      {(id) =>
        kind === "choice" ? (
          <select id={id} name={name} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)}>
            {options?.map((option) => (
              <option key={option} value={option}>
                {optionName(name, option)}
              </option>
            ))}
          </select>
        ) : (
          <input
            id={id}
            name={name}
            type="number"
            inputMode="decimal"
            required={field.usual !== null}
            min={min}
            max={max}
            step={step ?? 1}
            value={value === null ? "" : Number(value)}
            onInput={(event) => (event.currentTarget.value !== "" ? onChange(event.currentTarget.valueAsNumber) : field.usual === null && onChange(null))}
          />
        )
      }
    </Field>
  );
}

type When = "host" | "time";

/** When it starts, how many may enter, and who may see it. */
function Start({ format, given, onChange }: { format: TournamentPreset["format"]; given: Settings; onChange(change: Settings): void }) {
  const most = Number(given.entries_max ?? ENTRIES[format]);
  const at = typeof given.start_at === "number" ? given.start_at : null;
  return (
    <>
      {format === "sitngo" ? (
        <p class="muted">{startSentence({ format, start_at: null, settings: { entries_max: most }, you: null })}</p>
      ) : (
        <Choice<When>
          label={t("tour.start")}
          value={at === null ? "host" : "time"}
          options={[
            ["host", t("tour.start.host")],
            ["time", t("tour.start.time")],
          ]}
          onChange={(when) => onChange({ start_at: when === "host" ? null : soon() })}
        />
      )}
      <div class="settings-grid">
        {at !== null && (
          <Field label={t("tour.start.when")}>
            {(id) => <Typed id={id} type="datetime-local" required value={localTime(at)} onDone={(time) => onChange({ start_at: Date.parse(time) || at })} />}
          </Field>
        )}
        <Field label={t("tset.entries_max")}>
          {(id) => <input id={id} type="number" inputMode="numeric" required min={2} max={MOST[format] ?? 10000} value={most} onInput={(event) => event.currentTarget.value !== "" && onChange({ entries_max: event.currentTarget.valueAsNumber })} />}
        </Field>
      </div>
      <Switch label={t("tset.private")} checked={given.private === true} onChange={(on) => onChange({ private: on })} />
    </>
  );
}

const QUARTER = 15 * 60_000;

/** The next quarter of an hour that gives people time to come. */
const soon = (): number => Math.ceil((Date.now() + QUARTER) / QUARTER) * QUARTER;

/** A time as the field has it: '2026-11-17T20:00', by this device's clock. */
function localTime(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
