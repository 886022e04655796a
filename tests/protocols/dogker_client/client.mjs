// A Dogker client of the official kind: reads commands as lines of JSON, writes what it is told as lines of JSON.
import { createInterface } from "node:readline";
import { io } from "socket.io-client";

const [url, path] = process.argv.slice(2);
const sockets = new Map();
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");

function connect(name) {
  const socket = io(url, { path, forceNew: true, transports: ["websocket"] });
  sockets.set(name, socket);
  socket.on("connect", () => say({ name, event: "connect" }));
  for (const event of ["joinedRoom", "updatedRoom", "err"]) {
    socket.on(event, (payload) => say({ name, event, payload }));
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { name, command, payload } = JSON.parse(line);
  if (command === "connect") connect(name);
  else if (command === "close") sockets.get(name).close();
  else sockets.get(name).emit(command, payload);
}).on("close", () => process.exit(0));
