/**
 * A hub in a process of its own that kills itself at a chosen point of the life of an envelope whose
 * text is "fatal". Arguments: data file, port, point; without a point it lives.
 */
import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import type { LinkPeer, Store } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";

const [path = "", port = "0", point = "none"] = process.argv.slice(2);
const FATAL = '"fatal"';
/** Id of the fatal envelope, once it is posted. */
let fatalId = "none yet";

function dieAt(here: string): void {
  if (here === point) process.kill(process.pid, "SIGKILL");
}

/** Dies when what was written to sockets in this turn of the loop has left. */
function dieSoonAt(here: string): void {
  setImmediate(() => setImmediate(dieAt, here));
}

function mortalStore(store: Store): Store {
  return {
    ...store,
    async commit(batch) {
      const isFatal = batch.envelopes.some(({ body }) => body.includes(FATAL));
      if (isFatal) dieAt("folded");
      await store.commit(batch);
      if (isFatal) dieAt("appended");
    },
  };
}

function mortalPeer(peer: LinkPeer): LinkPeer {
  return Object.assign(Object.create(peer) as LinkPeer, {
    notify(delivery: Parameters<LinkPeer["notify"]>[0]) {
      const isFatal = delivery.text.includes(FATAL);
      if (isFatal) dieAt("queued");
      peer.notify(delivery);
      if (isFatal) dieSoonAt("notified");
    },
    send(frame: Parameters<LinkPeer["send"]>[0]) {
      const isFatal = JSON.stringify(frame).includes(fatalId);
      // The notification is to leave without the answer.
      if (isFatal && point === "notified") return;
      peer.send(frame);
      if (isFatal) dieSoonAt("answered");
    },
  });
}

const store = await openSqliteStore({ path });
const hub = await openHub({ store: mortalStore(store), adapters: createDefaultAdapters() });
hub.addListener({
  onEnvelopePosted({ envelope_id, event_data }) {
    if (event_data["text"] === "fatal") fatalId = envelope_id;
  },
});
const accept = (peer: LinkPeer) => hub.accept(mortalPeer(peer));
const server = await serveWebSocket({ ...hub, accept }, { port: Number(port) });
process.stdout.write(`listening ${server.url}\n`);
