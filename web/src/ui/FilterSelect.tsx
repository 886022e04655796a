import { t } from "../i18n/index.ts";
import { Field } from "./Field.tsx";

interface Props {
  label: string;
  /** The value of the chosen option; empty for all. */
  value: string | undefined;
  options: readonly (readonly [value: string, text: string])[];
  onChange(value: string): void;
}

/** One of several values that a list or a sum is narrowed down to, or all of them. */
export function FilterSelect({ label, value, options, onChange }: Props) {
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} value={value ?? ""} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{t("filter.all")}</option>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
