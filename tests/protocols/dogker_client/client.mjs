// A Dogker client of the official kind: reads commands as lines of JSON, writes what it is told as lines of JSON.
// The version of socket.io-client and its transports are chosen on the command line. Like the original front end, it
// joins a room only when it is told to: a socket that reconnects by itself does not join again.
import { createInterface } from "node:readline";

const [url, path, version, transports] = process.argv.slice(2);
const { default: io } = await import(version);
const sockets = new Map();
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");

function connect(name) {
  const socket = io(url, {
    path,
    forceNew: true,
    transports: transports.split(","),
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
  });
  sockets.set(name, socket);
  socket.on("connect", () => say({ name, event: "connect", transport: socket.io.engine.transport.name }));
  socket.on("disconnect", (reason) => say({ name, event: "disconnect", payload: reason }));
  socket.io.engine.on("upgrade", (transport) => say({ name, event: "upgrade", payload: transport.name }));
  for (const event of ["joinedRoom", "updatedRoom", "err"]) {
    socket.on(event, (payload) => say({ name, event, payload }));
  }
}

const commands = {
  connect: (name) => connect(name),
  close: (name) => sockets.get(name).close(),
  // The connection breaks beneath the socket, which reconnects by itself.
  cut: (name) => sockets.get(name).io.engine.transport.ws.close(),
  // Several events within one tick.
  burst: (name, events) => {
    for (const [event, payload] of events) sockets.get(name).emit(event, payload);
  },
  emit: (name, [event, payload]) => sockets.get(name).emit(event, payload),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { name, command, payload } = JSON.parse(line);
  commands[command](name, payload);
}).on("close", () => process.exit(0));
