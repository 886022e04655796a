import type { Json } from "../../api/types.ts";
import { Card } from "../../art/Card.tsx";
import { bySeat, cardOf, inWords, isCard, isEmpty, isFields, label, type Fields, type Name } from "./values.ts";

interface Props {
  name: string;
  value: Json;
  who: Name;
  seats: number;
}

/** A value of a view: cards as cards, seats as names, rows as a table, members as a list. */
export function Value({ name, value, who, seats }: Props) {
  if (isCard(value)) return <Card card={cardOf(value)} />;
  if (Array.isArray(value) && value.length > 0) {
    if (value.every(isCard)) {
      return (
        <span class="value-cards">
          {value.map((card) => (
            <Card key={card} card={cardOf(card)} />
          ))}
        </span>
      );
    }
    if (value.every(isFields)) return <Rows rows={value} who={who} seats={seats} />;
  }
  if (isFields(value) && !isEmpty(value)) {
    const seat = bySeat(value, seats);
    return (
      <dl class="value-members">
        {Object.entries(value).filter(([, one]) => !isEmpty(one)).map(([key, one]) => (
          <div key={key}>
            <dt>{seat ? who(Number(key)) : label(key)}</dt>
            <dd>
              <Value name={seat ? "" : key} value={one} who={who} seats={seats} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  return <>{inWords(name, value, who, seats)}</>;
}

function Rows({ rows, who, seats }: { rows: Fields[]; who: Name; seats: number }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div class="scroll-x" tabIndex={0}>
      <table class="figures">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {label(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>
                  <Value name={column} value={row[column] ?? null} who={who} seats={seats} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
