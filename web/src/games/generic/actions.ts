import type { Json, JsonSchema, View } from "../../api/types.ts";
import { plain } from "../../lobby/describe.ts";
import { isFields, type Fields } from "./values.ts";

export type Schemas = Record<string, JsonSchema>;

/** What I may do now: in my turn what `legal` names, and at any time what my options name. */
export function actionsOf(view: View, schemas: Schemas): { turn: string[]; any: string[] } {
  const any = (view.you?.options ?? []).filter((type) => type in schemas);
  const named = isFields(view.legal as Json) ? (view.legal as Fields).actions : undefined;
  const turn = Array.isArray(named) ? named.filter((type): type is string => typeof type === "string" && type in schemas) : [];
  // A game that does not name its actions lets the server say which of them fits.
  const all = view.legal !== null && !Array.isArray(named) ? Object.keys(schemas) : turn;
  return { turn: all.filter((type) => !any.includes(type)), any };
}

/** What an action is called: as the game titles it, else its identifier as words. */
export function actionName(type: string, schema: JsonSchema | undefined): string {
  return schema?.title ?? plain(type);
}

export function fieldsOf(schema: JsonSchema | undefined): [string, JsonSchema][] {
  return Object.entries(schema?.properties ?? {});
}

/** The values that the turn allows for a field, where `legal` lists them under its name, or under its plural. */
export function allowed(field: string, legal: unknown): Json[] | undefined {
  const members = isFields(legal as Json) ? (legal as Fields) : {};
  const listed = members[field] ?? members[`${field}s`];
  return Array.isArray(listed) && listed.length > 0 && listed.every((one) => typeof one !== "object") ? listed : undefined;
}

/** What a form of these fields starts with. */
export function firstValues(schema: JsonSchema, choices: (name: string, part: JsonSchema) => Json[] | undefined): Fields {
  const values: Fields = {};
  for (const [name, part] of fieldsOf(schema)) {
    const start = part.default ?? choices(name, part)?.[0] ?? part.minimum ?? (part.type === "boolean" ? false : undefined);
    if (start !== undefined) values[name] = start;
  }
  return values;
}
