// A WebSocket client (RFC 6455) that costs little more than the kernel's part of it, so that the servers are measured and
// not the load. It sends and receives what every client does, frame by frame and masked; of the protocol it leaves out
// what none of the contestants uses (fragments, extensions) and ends the process if one should come.
import { createHash, randomBytes } from "node:crypto";
import { connect } from "node:net";

const TEXT = 1;
export const BINARY = 2;
const PING = 9;
const PONG = 10;

/** Where every read goes: it is handed over before the next one, so all sockets share it. */
const arrived = Buffer.allocUnsafeSlow(1 << 16);

/** A connection. Messages are bytes that are good until the listener returns; they are kept until somebody listens. */
export class Link {
  #socket;
  #opened;
  #expected;
  #rest = null;
  #kept = [];
  #keep = (message) => this.#kept.push(Buffer.from(message));
  #hear = this.#keep;

  /** Connect to a ws:// address, with headers of one's own. */
  static open(address, headers = {}) {
    return new Promise((resolve) => new Link(new URL(address), headers, resolve));
  }

  constructor(url, headers, opened) {
    const key = randomBytes(16).toString("base64");
    this.#expected = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    this.#opened = opened;
    const onread = {
      buffer: arrived,
      callback: (size) => {
        const bytes = arrived.subarray(0, size);
        this.#read(this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes]));
        return true;
      },
    };
    this.#socket = connect({ host: url.hostname, port: url.port, noDelay: true, onread });
    const fields = {
      Host: url.host, Upgrade: "websocket", Connection: "Upgrade",
      "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": 13, ...headers,
    };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`);
    this.#socket.on("close", () => {
      throw new Error(`${url} was closed by the server`);
    });
  }

  listen(hear) {
    this.#hear = hear;
    for (const message of this.#kept.splice(0)) this.#hear(message);
  }

  /** Wait for a message that begins so, and let go what comes before. */
  until(beginning) {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no ${beginning} from the server in a minute`)), 60_000);
      this.listen((message) => {
        if (message.indexOf(beginning) !== 0) return;
        clearTimeout(late);
        this.#hear = this.#keep;
        resolve(Buffer.from(message));
      });
    });
  }

  /** Send text, or bytes as the kind of frame that is named. */
  send(message, opcode = TEXT) {
    const payload = typeof message === "string" ? Buffer.from(message) : message;
    const size = payload.length;
    const head = size < 126 ? 6 : 8;
    const frame = Buffer.allocUnsafe(head + size);
    frame[0] = 0x80 | opcode;
    if (size < 126) {
      frame[1] = 0x80 | size;
    } else {
      frame[1] = 0x80 | 126;
      frame.writeUInt16BE(size, 2);
    }
    frame.writeUInt32BE(Math.random() * 2 ** 32, head - 4);
    for (let i = 0; i < size; i++) frame[head + i] = payload[i] ^ frame[head - 4 + (i & 3)];
    this.#socket.write(frame);
  }

  #read(bytes) {
    const done = this.#expected === null ? this.#frames(bytes, 0) : this.#upgraded(bytes);
    this.#rest = done === bytes.length ? null : Buffer.from(bytes.subarray(done)); // it goes on with the next read
  }

  /** Take in the answer to the request for a WebSocket and what came with it; how far that went. */
  #upgraded(bytes) {
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1) return 0;
    const head = bytes.latin1Slice(0, end);
    if (!head.startsWith("HTTP/1.1 101 ") || !head.includes(this.#expected)) throw new Error(`no WebSocket: ${head}`);
    this.#expected = null;
    this.#opened(this);
    return this.#frames(bytes, end + 4);
  }

  /** Take in the frames that are there in full; how far that went. */
  #frames(bytes, at) {
    while (at + 2 <= bytes.length) {
      let start = at + 2;
      let size = bytes[at + 1];
      if (size === 126) {
        start += 2;
        if (start > bytes.length) break;
        size = bytes.readUInt16BE(at + 2);
      } else if (size > 126) {
        throw new Error("a masked frame from the server, or one of 64 KiB");
      }
      if (start + size > bytes.length) break;
      this.#take(bytes[at], bytes.subarray(start, start + size));
      at = start + size;
    }
    return at;
  }

  #take(first, message) {
    if (first === (0x80 | TEXT) || first === (0x80 | BINARY)) this.#hear(message);
    else if (first === (0x80 | PING)) this.send(message, PONG);
    else throw new Error(`a frame that begins with ${first} from the server: ${message}`);
  }
}
