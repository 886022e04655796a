/** From values to places in a chart. */

/** A round step that fits about four times into a length. */
function step(length: number): number {
  const rough = length / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10);
}

/** Round numbers around the values, the least and the greatest of them being the ends of the chart; zero among them where it belongs there. */
export function ticks(values: readonly number[], withZero: boolean): number[] {
  const all = withZero || !values.length ? [0, ...values] : values;
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const each = step(high - low || Math.abs(high) || 1);
  const [first, last] = [Math.floor(low / each), Math.ceil(high / each)];
  const [start, end] = first === last ? [first - 1, last + 1] : [first, last];
  return Array.from({ length: end - start + 1 }, (_, index) => Number(((start + index) * each).toPrecision(12)));
}

/** Where a value lies between the ends, from 0 at the upper edge to 100 at the lower one. */
export function height(value: number, marks: readonly number[]): number {
  const [low = 0, high = 1] = [marks[0], marks.at(-1)];
  return (100 * (high - value)) / (high - low);
}
