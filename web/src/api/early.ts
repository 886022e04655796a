/**
 * What a script in index.html asked the server for before the app was there: who is here, and the wire of the table whose
 * page this is. Each can be taken once.
 */
interface Early {
  session?: Promise<Response>;
  socket?: WebSocket;
  /** What the wire has told so far. */
  heard?: MessageEvent<string>[];
}

declare global {
  interface Window {
    parlourEarly?: Early;
  }
}

export function earlyAnswer(method: string, path: string): Promise<Response> | undefined {
  if (method !== "GET" || path !== "/session") return undefined;
  const answer = window.parlourEarly?.session;
  delete window.parlourEarly?.session;
  return answer;
}

/** The wire to this address, which may have been closed already, and what came over it. */
export function earlySocket(address: string): { socket: WebSocket; heard: MessageEvent<string>[] } | undefined {
  const { socket, heard = [] } = window.parlourEarly ?? {};
  if (socket?.url !== address) return undefined;
  delete window.parlourEarly?.socket;
  return { socket, heard };
}
