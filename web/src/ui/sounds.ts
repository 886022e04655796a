/**
 * The sounds, made on the spot from short bursts of filtered noise (cards, chips, wood) and from struck tones that die
 * away like those of a marimba. Nothing is loaded. Times are in seconds, pitches in hertz.
 */
interface Burst {
  at: number;
  long: number;
  /** Where the noise is let through, from the beginning to the end. */
  from: number;
  to?: number;
  loud: number;
  /** How narrow: 0.7 is broad. */
  narrow?: number;
  /** How long it swells. A knock does not swell, a card that slides does. */
  swell?: number;
}

interface Tone {
  at: number;
  long: number;
  from: number;
  to?: number;
  loud: number;
}

interface Recipe {
  noise?: readonly Burst[];
  tones?: readonly Tone[];
}

const click = (at: number, loud: number, pitch = 4300): Burst => ({ at, long: 0.028, from: pitch, to: pitch * 0.8, narrow: 5, loud });
/** Clay on clay: a click and its ring. */
const clay = (at: number, loud: number, pitch: number): Recipe => ({
  noise: [click(at, loud * 4.2, pitch)],
  tones: [{ at, long: 0.05, from: pitch * 0.62, loud: loud * 0.2 }],
});
const knock = (at: number, loud: number, pitch: number): Recipe => ({
  noise: [{ at, long: 0.03, from: 1100, to: 500, loud: loud * 0.9 }],
  tones: [{ at, long: 0.09, from: pitch, to: pitch * 0.62, loud }],
});
/** Wood struck with a soft mallet: the note, and a short overtone two octaves above. */
const mallet = (at: number, pitch: number, loud: number, long = 0.55): Recipe => ({
  noise: [{ at, long: 0.015, from: 2500, loud: loud * 0.3 }],
  tones: [
    { at, long, from: pitch, loud },
    { at, long: long * 0.3, from: pitch * 4, loud: loud * 0.22 },
  ],
});
const together = (...parts: Recipe[]): Recipe => ({ noise: parts.flatMap(({ noise = [] }) => noise), tones: parts.flatMap(({ tones = [] }) => tones) });
const slide = (at: number, long: number, from: number, to: number, loud: number): Recipe => ({ noise: [{ at, long, from, to, loud, narrow: 0.9, swell: long * 0.35 }] });

const CHIPS = together(clay(0, 0.32, 4100), clay(0.052, 0.26, 4700), clay(0.088, 0.2, 3800));
const RAKE = together(...[0, 0.045, 0.08, 0.13, 0.16, 0.205, 0.26].map((at, n) => clay(at, 0.28 - n * 0.022, [4200, 3700, 4800, 4000, 4500, 3600, 4900][n] ?? 4200)));

export const SOUNDS = {
  deal: together(slide(0, 0.11, 3600, 1500, 0.8), { noise: [{ at: 0.085, long: 0.035, from: 900, loud: 0.3 }] }),
  turn: together(slide(0, 0.07, 2200, 4200, 0.6), { noise: [{ at: 0.062, long: 0.03, from: 2600, to: 1200, narrow: 1.2, loud: 0.75 }] }),
  check: together(knock(0, 0.5, 210), knock(0.13, 0.42, 195)),
  chips: CHIPS,
  collect: together(slide(0, 0.3, 1500, 2600, 0.16), RAKE),
  fold: slide(0, 0.19, 1900, 600, 0.7),
  allin: together(slide(0, 0.34, 900, 2600, 0.32), RAKE, { tones: [{ at: 0.3, long: 0.5, from: 105, to: 46, loud: 0.5 }] }, knock(0.3, 0.25, 130)),
  win: together(mallet(0, 523.25, 0.3), mallet(0.1, 659.25, 0.28), mallet(0.2, 783.99, 0.3, 0.8), CHIPS),
  bigWin: together(
    ...[523.25, 659.25, 783.99, 1046.5, 1318.5].map((pitch, n) => mallet(n * 0.095, pitch, 0.26, 0.7)),
    mallet(0.56, 1046.5, 0.22, 1.1),
    mallet(0.56, 783.99, 0.2, 1.1),
    mallet(0.56, 523.25, 0.2, 1.1),
    RAKE,
  ),
  myTurn: together(mallet(0, 587.33, 0.36, 0.4), mallet(0.13, 880, 0.34, 0.6)),
  lowTime: together({ noise: [{ at: 0, long: 0.03, from: 2300, narrow: 7, loud: 3 }] }, { noise: [{ at: 0.25, long: 0.03, from: 1750, narrow: 7, loud: 3 }] }),
  move: together(knock(0, 0.55, 260), { noise: [{ at: 0, long: 0.014, from: 3000, loud: 0.4 }] }),
  capture: together(knock(0, 0.45, 330), knock(0.045, 0.6, 220), { noise: [{ at: 0, long: 0.022, from: 3600, loud: 0.6 }] }),
  chessCheck: together(knock(0, 0.5, 260), mallet(0.05, 987.77, 0.26, 0.5)),
  end: together(mallet(0, 392, 0.28, 0.7), mallet(0, 493.88, 0.22, 0.7), mallet(0.24, 523.25, 0.3, 1.1), mallet(0.24, 392, 0.2, 1.1), mallet(0.24, 659.25, 0.18, 1.1)),
  message: { tones: [{ at: 0, long: 0.12, from: 480, to: 820, loud: 0.42 }] },
} as const satisfies Record<string, Recipe>;

export type Sound = keyof typeof SOUNDS;

const SILENT = 0.0001;
const noises = new WeakMap<BaseAudioContext, AudioBuffer>();

/** Half a second of white noise, the same every time. */
export function noiseOf(context: BaseAudioContext): AudioBuffer {
  let buffer = noises.get(context);
  if (!buffer) {
    buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
    const samples = buffer.getChannelData(0);
    let state = 1;
    for (let at = 0; at < samples.length; at++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      samples[at] = state / 2 ** 31 - 1;
    }
    noises.set(context, buffer);
  }
  return buffer;
}

/** A gain that swells, then dies away. */
function envelope(context: BaseAudioContext, start: number, long: number, loud: number, swell: number): GainNode {
  const gain = context.createGain();
  gain.gain.setValueAtTime(SILENT, start);
  gain.gain.exponentialRampToValueAtTime(loud, start + swell);
  gain.gain.exponentialRampToValueAtTime(SILENT, start + long);
  return gain;
}

/** Puts a sound on the context's clock; it ends by itself. */
export function schedule(context: BaseAudioContext, name: Sound, start: number, loudness: number): void {
  const out = context.createGain();
  out.gain.value = loudness;
  out.connect(context.destination);
  const { noise = [], tones = [] }: Recipe = SOUNDS[name];
  for (const { at, long, from, to = from, loud, narrow = 0.7, swell = 0.002 } of noise) {
    const source = context.createBufferSource();
    source.buffer = noiseOf(context);
    const filter = context.createBiquadFilter();
    filter.type = "bandpass";
    filter.Q.value = narrow;
    filter.frequency.setValueAtTime(from, start + at);
    filter.frequency.exponentialRampToValueAtTime(to, start + at + long);
    source.connect(filter).connect(envelope(context, start + at, long, loud, swell)).connect(out);
    source.start(start + at, (at * 7.3) % 0.2, long);
  }
  for (const { at, long, from, to = from, loud } of tones) {
    const tone = context.createOscillator();
    tone.frequency.setValueAtTime(from, start + at);
    tone.frequency.exponentialRampToValueAtTime(to, start + at + long);
    tone.connect(envelope(context, start + at, long, loud, 0.004)).connect(out);
    tone.start(start + at);
    tone.stop(start + at + long);
  }
}
