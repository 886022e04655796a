import type { GameInfo, JsonSchema } from "../api/types.ts";

/** How a room is kept, whatever is played in it; the server has the same in tables/settings.py. */
const ROOM: Record<string, JsonSchema> = {
  name: { type: "string", maxLength: 40, default: "" },
  private: { type: "boolean", default: false },
  approve_seats: { type: "boolean", default: false },
  spectators: { type: "boolean", default: true },
  chat: { type: "boolean", default: true },
  spectator_delay: { type: "integer", minimum: 0, maximum: 600, default: 0 },
  grace: { type: "integer", minimum: 0, maximum: 600, default: 60 },
};

/** Every setting of a table: the game's own, then the room's. */
export function allSettings(game: GameInfo): JsonSchema {
  const { name, ...room } = ROOM;
  return { ...game.settings, properties: { ...(name && { name }), ...game.settings.properties, ...room } };
}
