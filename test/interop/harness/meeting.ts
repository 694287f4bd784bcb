import { createHubClient, type HubClient, type HubPort } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import type { Envelope } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import {
  type Ag2HubOptions,
  type ApiKeys,
  type HubProcess,
  startAg2Hub,
  startColloquyHub,
} from "./hub-process.js";
import { type PythonPeer, startPythonPeer } from "./python-peer.js";

/** How long something may take that others do. */
const WAIT_MS = 20_000;

/** A hub, and processes and clients around it, for one test. `await using` ends all of it. */
export interface Meeting extends AsyncDisposable {
  readonly hub: HubProcess;
  /** A Python process with AG2's clients. */
  python(options?: { readonly keeps?: boolean; readonly url?: string }): Promise<PythonPeer>;
  /** Colloquy's client in this process; on the bare profile when asked to. */
  client(options?: { readonly profile?: "ag2"; readonly url?: string }): HubClient;
}

/** Starts a hub of Colloquy or of AG2. */
export async function startMeeting(
  kind: "colloquy" | "ag2" = "colloquy",
  keys: ApiKeys = {},
  options: Ag2HubOptions = {},
): Promise<Meeting> {
  const hub = await (kind === "colloquy" ? startColloquyHub(keys) : startAg2Hub(keys, options));
  const clients: HubClient[] = [];
  const peers: PythonPeer[] = [];
  return {
    hub,
    async python({ url = hub.url, ...options } = {}) {
      const peer = await startPythonPeer(url, options);
      peers.push(peer);
      return peer;
    },
    client({ url = hub.url, ...options } = {}) {
      const link = createNodeLink(url, options);
      const client = createHubClient({ link, reconnect: { baseMs: 20, maxMs: 200 } });
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.close();
      for (const peer of peers) await peer.kill();
      await hub[Symbol.asyncDispose]();
    },
  };
}

/** Texts of a channel's log, as the hub gives it out. */
export async function textsOf(hub: HubPort, channelId: string): Promise<string[]> {
  return textsIn(await hub.readWal(channelId));
}

/** Texts among envelopes; of a packet its body. */
export function textsIn(envelopes: readonly Envelope[]): string[] {
  return envelopes.flatMap(({ event_data }) => {
    const text = event_data["text"] ?? event_data["body"];
    return typeof text === "string" ? [text] : [];
  });
}

/** Waits until a channel's log has these texts, and no others. */
export function untilTexts(
  hub: HubPort,
  channelId: string,
  texts: readonly string[],
): Promise<void> {
  return waitForTexts(hub, channelId, texts, (seen) => seen);
}

/** Waits until the texts of a channel's log begin with these. */
export function untilFirstTexts(
  hub: HubPort,
  channelId: string,
  texts: readonly string[],
  timeoutMs = WAIT_MS,
): Promise<void> {
  return waitForTexts(hub, channelId, texts, (seen) => seen.slice(0, texts.length), timeoutMs);
}

async function waitForTexts(
  hub: HubPort,
  channelId: string,
  texts: readonly string[],
  pick: (seen: readonly string[]) => readonly string[],
  timeoutMs = WAIT_MS,
): Promise<void> {
  let seen: readonly string[] = [];
  await until(
    async () => {
      seen = pick(await textsOf(hub, channelId));
      return JSON.stringify(seen) === JSON.stringify(texts);
    },
    { timeoutMs, describe: () => `texts ${texts.join(" | ")}; there are ${seen.join(" | ")}` },
  );
}

/** Waits until a channel has ended, and resolves with the reason. */
export async function untilClosed(hub: HubPort, channelId: string): Promise<string | null> {
  const ended = await until(
    async () => {
      const metadata = await hub.getChannel(channelId);
      return metadata.state === "closed" && metadata;
    },
    { timeoutMs: WAIT_MS, describe: `the end of ${channelId}` },
  );
  return ended.close_reason;
}
