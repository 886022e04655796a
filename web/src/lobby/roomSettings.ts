import type { GameInfo, JsonSchema } from "../api/types.ts";

/** How a room is kept, whatever is played in it; the server has the same in tables/settings.py. */
const ROOM: Record<string, JsonSchema> = {
  name: { type: "string", maxLength: 40, default: "" },
  private: { type: "boolean", default: false },
  approve_seats: { type: "boolean", default: false },
  spectators: { type: "boolean", default: true, group: "watching" },
  chat: { type: "boolean", default: true, group: "watching" },
  spectator_delay: { type: "integer", minimum: 0, maximum: 600, default: 0, group: "watching" },
  grace: { type: "integer", minimum: 0, maximum: 600, default: 60, group: "pace" },
};

/** Every setting of a new table: the game's own, then the room's. */
export function allSettings(game: GameInfo): JsonSchema {
  const { name, ...room } = ROOM;
  return { ...game.settings, properties: { ...(name && { name }), ...game.settings.properties, ...room } };
}

/** What a host may still change: all but `private`, which a table's code depends on. */
export function changeableSettings(game: GameInfo): JsonSchema {
  const all = allSettings(game);
  const { private: _, ...properties } = all.properties ?? {};
  return { ...all, properties };
}
