import { useState } from "preact/hooks";
import type { Tile } from "./figures.ts";
import "../styles/figures.css";

/** Figures side by side. A tap on a name tells what it means. */
export function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  const [open, setOpen] = useState("");
  return (
    <dl class="facts tiles">
      {tiles.map(({ id, name, value, note, hint }) => (
        <div key={id} class={open === id ? "tile open" : "tile"} data-figure={id}>
          <dt>
            {hint ? (
              <button type="button" class="explain" aria-expanded={open === id} onClick={() => setOpen(open === id ? "" : id)}>
                {name}
              </button>
            ) : (
              name
            )}
          </dt>
          <dd>
            {value}
            {note && <small>{note}</small>}
          </dd>
          {open === id && <dd class="explained">{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}
