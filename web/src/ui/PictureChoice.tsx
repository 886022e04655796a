import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "../styles/pictures.css";

interface Option<T extends string> {
  value: T;
  /** What the picture shows, for the ear and as a tooltip. */
  name: string;
  picture: ComponentChildren;
}

interface Props<T extends string> {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange(value: T): void;
  /** How the pictures lie: `faces` are many and round. */
  kind: "faces" | "samples";
}

/** A choice among pictures, one of them taken: radio buttons, so that the arrow keys go through them. */
export function PictureChoice<T extends string>({ label, value, options, onChange, kind }: Props<T>) {
  const group = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class={`pictures ${kind}`}>
        {options.map((option) => (
          <label key={option.value} class={option.value === value ? "picture on" : "picture"} title={option.name}>
            <input type="radio" name={group} aria-label={option.name} checked={option.value === value} onChange={() => onChange(option.value)} />
            {option.picture}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
