import { listen } from "./listen.js";

/** Sends every message back as it came. */
export async function listenEcho(): Promise<string> {
  const { url } = await listen((socket, data) => socket.send(data, { binary: false }));
  return url;
}
