// Checks the words: every language has every key with the same {places}, and every key is used somewhere.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../src/", import.meta.url));
const faults = [];
const places = (text) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort().join();
const wordsOf = async (language, area) => (await import(`../src/i18n/${language}/${area}`)).words;
const keys = new Set();

for (const area of readdirSync(join(here, "i18n/en"))) {
  const en = await wordsOf("en", area);
  for (const key of Object.keys(en)) {
    if (keys.has(key)) faults.push(`en/${area}: ${key} is in another area too`);
    keys.add(key);
  }
  for (const language of ["de", "es"]) {
    const words = await wordsOf(language, area);
    for (const key of Object.keys(en)) {
      if (!(key in words)) faults.push(`${language}/${area}: ${key} is missing`);
      else if (places(words[key]) !== places(en[key])) faults.push(`${language}/${area}: ${key} has other {places}`);
    }
    for (const key of Object.keys(words)) if (!(key in en)) faults.push(`${language}/${area}: ${key} is not in English`);
  }
}

const sources = readdirSync(here, { recursive: true })
  .filter((name) => /\.tsx?$/.test(name) && !/^i18n\/\w\w\//.test(name))
  .map((name) => readFileSync(join(here, name), "utf8"))
  .join("\n");
// Keys that are put together at run time, such as `reason.${…}`.
const built = [...sources.matchAll(/`([a-z]+\.)(?:\w+\.)*\$\{/g)].map(([, start]) => start);
for (const key of keys) {
  if (!sources.includes(`"${key}"`) && !built.some((start) => key.startsWith(start))) faults.push(`${key} is not used`);
}

if (faults.length) {
  console.error(faults.join("\n"));
  process.exit(1);
}
console.log(`${keys.size} keys in 3 languages`);
