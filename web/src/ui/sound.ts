/** Small sounds made on the spot: nothing to load. */

type Note = readonly [frequency: number, at: number, length: number, loudness: number];

const SOUNDS = {
  turn: [
    [660, 0, 0.12, 0.12],
    [880, 0.11, 0.18, 0.12],
  ],
  chip: [
    [2400, 0, 0.03, 0.05],
    [3100, 0.035, 0.03, 0.04],
  ],
  card: [[900, 0, 0.03, 0.04]],
  win: [
    [523, 0, 0.12, 0.08],
    [659, 0.1, 0.12, 0.08],
    [784, 0.2, 0.22, 0.08],
  ],
  move: [[220, 0, 0.06, 0.16]],
} as const satisfies Record<string, readonly Note[]>;

let context: AudioContext | undefined;

export function play(name: keyof typeof SOUNDS): void {
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") return void context.resume().catch(() => undefined);
    for (const [frequency, at, length, loudness] of SOUNDS[name]) {
      const start = context.currentTime + at;
      const tone = context.createOscillator();
      const gain = context.createGain();
      tone.type = "triangle";
      tone.frequency.value = frequency;
      gain.gain.setValueAtTime(loudness, start);
      gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
      tone.connect(gain).connect(context.destination);
      tone.start(start);
      tone.stop(start + length);
    }
  } catch {
    // No sound on this device; the other signs remain.
  }
}
