// A boardgame.io server with a betting game whose state and moves are as large as those of a hold'em table.
// In memory, as boardgame.io comes. Usage: node boardgame.mjs PORT
import { createRequire } from "node:module";
import { openingState } from "./table.mjs";

const { Server, Origins } = createRequire(import.meta.url)("boardgame.io/server");

const deck = Array.from({ length: 52 }, (_, i) => i);

const game = {
  name: "betting",
  setup: () => ({ ...openingState(), deck, hole: { 0: [0, 1], 1: [2, 3] } }),
  // Each player sees their own cards only, as at a real table.
  playerView: ({ G, playerID }) => ({ ...G, deck: null, hole: { [playerID]: G.hole[playerID] } }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    act: {
      client: false,
      move: ({ G, playerID }, type, amount) => {
        const player = G.players[Number(playerID)];
        if (!["check", "call", "fold", "raise"].includes(type) || amount > player.stack) return "INVALID_MOVE";
        player.stack -= amount;
        player.bet += amount;
        player.last = { type, amount };
        G.pot += amount;
        G.hand += 1;
      },
    },
  },
};

const server = Server({ games: [game], origins: [Origins.LOCALHOST, /.*/] });
server.run({ port: Number(process.argv[2]), callback: () => console.log("ready") });
