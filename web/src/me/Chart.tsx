export function Chart() { return null; }
