// A Colyseus server with a betting room: the move is checked, the state follows, everybody is told at once by a broadcast
// (the state's own patches go out on a timer, which would only measure the timer). Usage: node colyseus.mjs PORT
import { createServer } from "node:http";
import { Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { openingState } from "./table.mjs";

class Betting extends Room {
  onCreate() {
    this.maxClients = 2;
    this.patchRate = null;
    this.seats = [];
    this.table = { ...openingState(), turn: 0 };
    this.onMessage("act", (client, { type, amount }) => {
      const seat = this.seats.indexOf(client.sessionId);
      const table = this.table;
      const player = table.players[seat];
      if (table.turn % 2 !== seat || amount > player.stack || !["check", "call", "fold", "raise"].includes(type)) {
        client.send("refused", { code: "not_your_turn" });
        return;
      }
      player.stack -= amount;
      player.bet += amount;
      player.last = { type, amount };
      table.pot += amount;
      table.turn += 1;
      table.hand += 1;
      this.broadcast("acted", { seat, type, amount, table });
    });
  }

  onJoin(client) {
    this.seats.push(client.sessionId);
  }
}

const server = new Server({ transport: new WebSocketTransport({ server: createServer() }), greet: false });
server.define("betting", Betting);
await server.listen(Number(process.argv[2]));
console.log("ready");
