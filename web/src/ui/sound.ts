import { sounds, volume } from "../app/prefs.ts";
import type { Sound } from "./sounds.ts";

let context: AudioContext | undefined;

const wanted = () => sounds.value && volume.value > 0;

/** Plays a sound, unless this device is to be silent. `loudness` makes one of several alike softer or louder. */
export async function play(name: Sound, loudness = 1): Promise<void> {
  // A browser lets nothing sound before the first tap; what was due until then is past.
  if (!wanted() || !navigator.userActivation.hasBeenActive) return;
  try {
    const { schedule } = await import("./sounds.ts");
    context ??= new AudioContext();
    if (context.state === "suspended") return void context.resume().catch(() => undefined);
    schedule(context, name, context.currentTime, loudness * volume.value);
  } catch {
    // No sound on this device; the other signs remain.
  }
}

/** A phone takes long to get ready for sound: it does so soon after the first tap, and not when cards are on their way. */
function prepare(): void {
  removeEventListener("pointerup", prepare);
  removeEventListener("keyup", prepare);
  setTimeout(async () => {
    if (!wanted()) return;
    try {
      const { noiseOf } = await import("./sounds.ts");
      noiseOf((context ??= new AudioContext()));
    } catch {
      // No sound on this device.
    }
  }, 300);
}

addEventListener("pointerup", prepare);
addEventListener("keyup", prepare);
