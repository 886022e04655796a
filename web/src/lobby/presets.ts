import { signal } from "@preact/signals";
import { call, get, post } from "../api/http.ts";
import type { Preset, Settings } from "../api/types.ts";

const KEY = "parlour.presets";

/** Whose presets they are: on a shared device nobody sees those of another. */
interface Kept {
  owner: string;
  presets: readonly Preset[];
}

/** As they were last known on this device: what is shown at once moves nothing when the server has answered. */
function atHand(): Kept {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "") as Kept;
  } catch {
    return { owner: "", presets: [] };
  }
}

const kept = signal<Kept>(atHand());

export function presetsOf(owner: string | undefined): readonly Preset[] {
  return owner && kept.value.owner === owner ? kept.value.presets : [];
}

function keep(owner: string, presets: readonly Preset[]): void {
  if (JSON.stringify(kept.value) === JSON.stringify({ owner, presets })) return;
  kept.value = { owner, presets };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept.value));
  } catch {
    // Storage may be closed to us; they are fetched again.
  }
}

export async function loadPresets(owner: string): Promise<void> {
  keep(owner, await get<Preset[]>("/me/presets"));
}

/** Saves settings under a name; those that had the name before are replaced. */
export async function savePreset(owner: string, name: string, game: string, settings: Settings): Promise<void> {
  await post<Preset>("/me/presets", { name, game, settings });
  await loadPresets(owner);
}

export async function deletePreset(owner: string, id: string): Promise<void> {
  keep(owner, await call<Preset[]>("DELETE", `/me/presets/${id}`));
}
