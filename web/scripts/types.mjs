// Reads the server's OpenAPI document on standard input and writes its schemas as TypeScript.
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { components } = JSON.parse(text);

const nameOf = (ref) => ref.split("/").pop();

function type(schema) {
  if (schema === true || !schema || Object.keys(schema).length === 0) return "unknown";
  if (schema.$ref) return nameOf(schema.$ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(type).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((one) => type({ ...schema, type: one })).join(" | ");
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "array":
      if (schema.prefixItems) return `[${schema.prefixItems.map(type).join(", ")}]`;
      return schema.items ? list(type(schema.items)) : "unknown[]";
    case "object":
      if (schema.properties) return `{ ${fields(schema).join(" ")} }`;
      return `Record<string, ${schema.additionalProperties ? type(schema.additionalProperties) : "unknown"}>`;
    default:
      return "unknown";
  }
}

const list = (item) => (/[ |]/.test(item) ? `(${item})[]` : `${item}[]`);

function fields(schema) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, part]) => `${name}${required.has(name) ? "" : "?"}: ${type(part)};`);
}

const parts = ["// Made by scripts/types.mjs from the server's OpenAPI document. Do not edit: run 'make types'.\n"];
for (const [name, schema] of Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))) {
  if (schema.properties) parts.push(`export interface ${name} {\n${fields(schema).map((line) => `  ${line}`).join("\n")}\n}\n`);
  else parts.push(`export type ${name} = ${type(schema)};\n`);
}
process.stdout.write(parts.join("\n"));
