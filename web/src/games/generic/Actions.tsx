import { useEffect, useRef, useState } from "preact/hooks";
import type { Json, JsonSchema, View } from "../../api/types.ts";
import { Card } from "../../art/Card.tsx";
import { t } from "../../i18n/index.ts";
import { resolve, Setting } from "../../lobby/SettingsForm.tsx";
import type { TableStore } from "../../table/store.ts";
import { Field } from "../../ui/Field.tsx";
import { actionName, actionsOf, allowed, fieldsOf, firstValues, type Schemas } from "./actions.ts";
import { cardOf, inWords, isCard, label, namesSeats, type Fields, type Name } from "./values.ts";

interface Props {
  table: TableStore;
  view: View;
  schemas: Schemas;
}

/** What I may do: a button for each action, one for each choice where that is all it needs, and else a small form. */
export function Actions({ table, view, schemas }: Props) {
  const [open, setOpen] = useState("");
  const [busy, setBusy] = useState(false);
  const { turn, any } = actionsOf(view, schemas);
  const act = (type: string, fields: Fields = {}) => {
    setBusy(true);
    setOpen("");
    void table.act({ ...fields, type }).finally(() => setBusy(false));
  };
  const who = (seat: unknown) => table.seatName(Number(seat));
  const button = (type: string, main: boolean) => {
    const schema = schemas[type];
    const [only, ...more] = fieldsOf(schema);
    const choices = only && !more.length ? allowed(only[0], view.legal) : undefined;
    if (only && choices) {
      return <Choices key={type} title={actionName(type, schema)} field={only[0]} choices={choices} who={who} seats={view.seats.length} main={main} disabled={busy || view.paused} onChoose={(value) => act(type, { [only[0]]: value })} />;
    }
    const form = fieldsOf(schema).length > 0;
    return (
      <button
        key={type}
        type="button"
        class={main ? "button primary" : "button"}
        title={schema?.description}
        disabled={busy || view.paused}
        aria-expanded={form ? open === type : undefined}
        onClick={() => (form ? setOpen(open === type ? "" : type) : act(type))}
      >
        {actionName(type, schema)}
        {form && "…"}
      </button>
    );
  };
  const group = (title: string, types: string[], main: boolean) => {
    const chosen = types.includes(open) ? schemas[open] : undefined;
    return (
      types.length > 0 && (
        <div class="generic-actions" role="group" aria-label={title}>
          {types.map((type) => button(type, main))}
          {chosen && <ActionForm key={`${open} ${view.turn}`} type={open} schema={chosen} table={table} view={view} onAct={(fields) => act(open, fields)} />}
        </div>
      )
    );
  };
  return (
    <>
      {group(t("yourTurn"), turn, true)}
      {group(t("generic.any"), any, false)}
    </>
  );
}

interface ChoicesProps {
  title: string;
  field: string;
  choices: readonly Json[];
  who: Name;
  seats: number;
  main: boolean;
  disabled: boolean;
  onChoose(value: Json): void;
}

/** An action that needs one of a few values: a button for each, cards as cards. */
function Choices({ title, field, choices, who, seats, main, disabled, onChoose }: ChoicesProps) {
  return (
    <div class="generic-choices" role="group" aria-label={title}>
      <span class="generic-choices-title">{title}</span>
      {choices.map((value, index) => {
        const card = isCard(value);
        return (
          <button key={index} type="button" class={card ? "generic-card" : main ? "button primary" : "button"} disabled={disabled} onClick={() => onChoose(value)}>
            {card ? <Card card={cardOf(value)} /> : inWords(field, value, who, seats)}
          </button>
        );
      })}
    </div>
  );
}

interface FormProps {
  type: string;
  schema: JsonSchema;
  table: TableStore;
  view: View;
  onAct(fields: Fields): void;
}

function ActionForm({ type, schema, table, view, onAct }: FormProps) {
  /** The players, where a field names a seat; the values that the turn allows. */
  const choices = (name: string, part: JsonSchema): Json[] | undefined => {
    const listed = allowed(name, view.legal);
    if (listed || part.type !== "integer" || !namesSeats(name)) return listed;
    return view.seats.filter((seat) => seat.player).map(({ seat }) => seat);
  };
  const [values, setValues] = useState<Fields>(() => firstValues(schema, choices));
  const who = (seat: unknown) => table.seatName(Number(seat));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input, select")?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    onAct(values);
  };
  return (
    <form ref={form} class="panel generic-form" aria-label={actionName(type, schema)} onSubmit={submit}>
      <div class="settings-grid">
        {fieldsOf(schema).map(([name, raw]) => {
          const part = resolve(raw, schema);
          const listed = choices(name, part);
          const set = (next: Json) => setValues({ ...values, [name]: next });
          if (!listed) return <Setting key={name} label={part.description ?? label(name)} name={name} schema={part} value={values[name] ?? null} onChange={set} />;
          return (
            <Field key={name} label={part.description ?? label(name)}>
              {(id) => (
                <select id={id} value={listed.indexOf(values[name] ?? null)} onChange={(event) => set(listed[Number(event.currentTarget.value)] ?? null)}>
                  {listed.map((one, index) => (
                    <option key={index} value={index}>
                      {isCard(one) ? inWords("", one, who, 0) : inWords(name, one, who, view.seats.length)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          );
        })}
      </div>
      <button class="button primary">{actionName(type, schema)}</button>
    </form>
  );
}
