// Reads hands from stdin, one JSON string a line, and writes what hhp makes of each, or null.
import { createInterface } from 'node:readline'
import { createRequire } from 'node:module'

const { parseHand } = createRequire(import.meta.url)('hhp')

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(parseHand(JSON.parse(line)) ?? null))
}
