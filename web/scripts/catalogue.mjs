// Checks the catalogues: every language has every key with the same {places}, and every key is used somewhere.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const here = new URL("../src/", import.meta.url).pathname;
const { en } = await import("../src/i18n/en.ts");
const faults = [];
const places = (text) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort().join();

for (const language of ["de", "es"]) {
  const words = (await import(`../src/i18n/${language}.ts`))[language];
  for (const key of Object.keys(en)) {
    if (!(key in words)) faults.push(`${language}: ${key} is missing`);
    else if (places(words[key]) !== places(en[key])) faults.push(`${language}: ${key} has other {places}`);
  }
  for (const key of Object.keys(words)) if (!(key in en)) faults.push(`${language}: ${key} is not in English`);
}

// The refusals of the server by their code: every language but English, in which the server speaks itself, has the same.
const refusals = await Promise.all(["de", "es"].map(async (language) => (await import(`../src/i18n/refusals.${language}.ts`)).refusals));
for (const code of new Set(refusals.flatMap(Object.keys))) {
  if (!refusals.every((words) => code in words)) faults.push(`refusal ${code} is not in every language`);
}

const sources = readdirSync(here, { recursive: true })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("i18n/"))
  .map((name) => readFileSync(join(here, name), "utf8"))
  .join("\n");
// Keys that are put together at run time, such as `reason.${…}`.
const built = [...sources.matchAll(/`([a-z]+\.)\$\{/g)].map(([, start]) => start);
for (const key of Object.keys(en)) {
  if (!sources.includes(`"${key}"`) && !built.some((start) => key.startsWith(start))) faults.push(`${key} is not used`);
}

if (faults.length) {
  console.error(faults.join("\n"));
  process.exit(1);
}
console.log(`${Object.keys(en).length} keys in 3 languages`);
