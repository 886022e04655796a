/** A code in groups, so that it can be read aloud. */
export function tableCode(code: string): string {
  return code.length > 6 ? (code.match(/.{1,4}/g) ?? []).join("-") : code;
}
