// Reads the server's OpenAPI document on standard input and writes its schemas as TypeScript. With the argument
// 'operator' it writes those that only the operator's routes use, and without it all others.
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { components, paths } = JSON.parse(text);
const OPERATOR = "/api/v1/operator";
const forOperator = process.argv[2] === "operator";

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

/** The names of the schemas that a part of the document leads to. */
function reached(part, found = new Set()) {
  for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (!found.has(name)) reached(components.schemas[name], found.add(name));
  }
  return found;
}

const routes = Object.entries(paths);
const shared = reached(routes.filter(([path]) => !path.startsWith(OPERATOR)));
const operators = new Set([...reached(routes.filter(([path]) => path.startsWith(OPERATOR)))].filter((name) => !shared.has(name)));
const wanted = Object.entries(components.schemas).filter(([name]) => operators.has(name) === forOperator);

const parts = ["// Made by scripts/types.mjs from the server's OpenAPI document. Do not edit: run 'make types'.\n"];
if (forOperator) {
  const borrowed = [...new Set(wanted.flatMap(([, schema]) => [...reached(schema)]))].filter((name) => !operators.has(name));
  parts.push(`import type { ${borrowed.sort().join(", ")} } from "./wire.ts";\n`);
}
for (const [name, schema] of wanted.sort(([a], [b]) => (a < b ? -1 : 1))) {
  if (schema.properties) parts.push(`export interface ${name} {\n${fields(schema).map((line) => `  ${line}`).join("\n")}\n}\n`);
  else parts.push(`export type ${name} = ${type(schema)};\n`);
}
process.stdout.write(parts.join("\n"));
