import { sounds, volume } from "../app/prefs.ts";
import type { Sound } from "./sounds.ts";

let context: AudioContext | undefined;

/** Plays a sound, unless this device is to be silent. `loudness` makes one of several alike softer or louder. */
export async function play(name: Sound, loudness = 1): Promise<void> {
  if (!sounds.value || volume.value <= 0) return;
  try {
    const { schedule } = await import("./sounds.ts");
    context ??= new AudioContext();
    // A browser lets nothing sound before the first tap; what was due until then is past.
    if (context.state === "suspended") return void context.resume().catch(() => undefined);
    schedule(context, name, context.currentTime, loudness * volume.value);
  } catch {
    // No sound on this device; the other signs remain.
  }
}
