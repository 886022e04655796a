import { useState } from "preact/hooks";
import type { Json, JsonSchema, View } from "../../api/types.ts";
import { t } from "../../i18n/index.ts";
import { resolve, Setting } from "../../lobby/SettingsForm.tsx";
import type { TableStore } from "../../table/store.ts";
import { Field } from "../../ui/Field.tsx";
import { actionName, actionsOf, allowed, fieldsOf, firstValues, type Schemas } from "./actions.ts";
import { inWords, isCard, label, namesSeats, type Fields } from "./values.ts";

interface Props {
  table: TableStore;
  view: View;
  schemas: Schemas;
}

/** What I may do: a button for each action, and a small form where one needs more than that. */
export function Actions({ table, view, schemas }: Props) {
  const [open, setOpen] = useState("");
  const [busy, setBusy] = useState(false);
  const { turn, any } = actionsOf(view, schemas);
  const act = (type: string, fields: Fields = {}) => {
    setBusy(true);
    setOpen("");
    void table.act({ ...fields, type }).finally(() => setBusy(false));
  };
  const button = (type: string, main: boolean) => {
    const schema = schemas[type];
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
  const chosen = [...turn, ...any].includes(open) ? schemas[open] : undefined;
  return (
    <>
      {turn.length > 0 && (
        <div class="generic-actions" role="group" aria-label={t("yourTurn")}>
          {turn.map((type) => button(type, true))}
        </div>
      )}
      {any.length > 0 && (
        <div class="generic-actions" role="group" aria-label={t("generic.any")}>
          {any.map((type) => button(type, false))}
        </div>
      )}
      {chosen && <ActionForm key={`${open} ${view.turn}`} type={open} schema={chosen} table={table} view={view} onAct={(fields) => act(open, fields)} />}
    </>
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
  const submit = (event: Event) => {
    event.preventDefault();
    onAct(values);
  };
  return (
    <form class="panel generic-form" aria-label={actionName(type, schema)} onSubmit={submit}>
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
