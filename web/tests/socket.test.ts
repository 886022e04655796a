import assert from "node:assert/strict";
import { mock, test } from "node:test";

mock.timers.enable({ apis: ["setTimeout"] });

class Wire {
  static readonly OPEN = 1;
  static last: Wire;
  readonly readyState = 1;
  readonly sent: string[] = [];
  onmessage: ((message: { data: string }) => void) | undefined;
  closed = false;
  constructor() {
    Wire.last = this;
  }
  send(frame: string) {
    this.sent.push(frame);
  }
  close() {
    this.closed = true;
  }
  tell(frame: object) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

const listen = { addEventListener: () => undefined, removeEventListener: () => undefined, visibilityState: "visible" };
Object.assign(globalThis, { ...listen, WebSocket: Wire, document: listen, window: {}, location: { origin: "http://here" } });
const { TableSocket } = await import("../src/api/socket.ts");

/** A connection of somebody with these seats, and what the page is told of it. */
function connected(seats: number[]) {
  const links: string[] = [];
  const socket = new TableSocket("CODE", { position: () => null, update: () => undefined, presence: () => undefined, link: (state) => links.push(state) });
  Wire.last.tell({ type: "welcome", seq: 1, events: [], view: { seq: 1, you: { seats } } });
  return { links, wire: Wire.last, end: () => socket.close() };
}

const PING = '{"type":"ping"}';

test("a player's page notices within eleven seconds that nobody answers any more", () => {
  const { links, wire, end } = connected([3]);
  mock.timers.tick(4_999);
  assert.deepEqual(wire.sent, []);
  mock.timers.tick(1);
  assert.deepEqual(wire.sent, [PING]);
  mock.timers.tick(5_999);
  assert.deepEqual(links, ["open"]);
  mock.timers.tick(1);
  assert.deepEqual([links, wire.closed], [["open", "offline"], true]);
  end();
});

test("whoever only watches asks seldom, and nobody asks while the server talks", () => {
  const watcher = connected([]);
  mock.timers.tick(14_999);
  assert.deepEqual(watcher.wire.sent, []);
  mock.timers.tick(1);
  assert.deepEqual(watcher.wire.sent, [PING]);
  watcher.end();
  const player = connected([0]);
  for (let second = 0; second < 30; second++) {
    mock.timers.tick(1_000);
    player.wire.tell({ type: "pong" });
  }
  assert.deepEqual(player.wire.sent, []);
  mock.timers.tick(5_000);
  assert.deepEqual(player.wire.sent, [PING]);
  player.wire.tell({ type: "pong" });
  mock.timers.tick(4_999);
  assert.deepEqual(player.links, ["open"]);
  player.end();
});
