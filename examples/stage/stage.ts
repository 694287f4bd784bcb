import assert from "node:assert/strict";
import { createDefaultAdapters } from "@colloquy/adapters";
import {
  type AgentClient,
  type AgentTool,
  createHubClient,
  type HubClient,
  type HumanClient,
} from "@colloquy/client";
import { createModelAgent } from "@colloquy/client/ai-sdk";
import { createNodeLink } from "@colloquy/client/node";
import type { ModelScript, ScriptedStep } from "@colloquy/client/testing";
import { type Hub, openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { type Envelope, EV_PACKET, EV_TEXT, isTerminalState } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { chooseModels, type Models } from "./models.js";
import { openStore } from "./store.js";
import { watchTurns } from "./turn-watch.js";

/** How long a conversation of an example may take, in milliseconds; a real model takes its time. */
const PATIENCE_MS = { scripted: 10_000, recorded: 10_000, real: 300_000 };

/** An agent of an example. */
export interface Part {
  readonly name: string;
  readonly instructions: string;
  /** What its model says when no other model is chosen. */
  readonly script: readonly ScriptedStep[] | ModelScript;
  readonly tools?: readonly AgentTool[];
  /** Most tokens of one answer of a real model. Default 300. */
  readonly maxTokens?: number;
  /** It may find and ask others by the network tools. Default: it has its own tools only. */
  readonly network?: boolean;
  /** What others find it by. */
  readonly capabilities?: readonly string[];
  readonly summary?: string;
}

/** Something that was said: the name of who said it, and the text. */
export type Line = readonly [speaker: string, text: string];

/** A hub behind a WebSocket, and those who meet on it, each over a connection of its own. */
export interface Stage extends AsyncDisposable {
  readonly hub: Hub;
  readonly models: Pick<Models, "kind" | "followScripts">;
  agent(part: Part): Promise<AgentClient>;
  person(name: string): Promise<HumanClient>;
  /** Waits for the end of a channel; what was said in it, which is printed as well. */
  end(
    channelId: string,
  ): Promise<{ readonly lines: readonly Line[]; readonly reason: string | null }>;
  /** What was said in a channel so far. */
  lines(channelId: string): Promise<readonly Line[]>;
  /** Checks what follows from the scripts; a real model has words and a course of its own. */
  checkWords(got: unknown, wanted: unknown): void;
}

/**
 * Opens the stage of an example.
 *
 * @param example - `import.meta.url` of its main file
 */
export async function openStage(example: string): Promise<Stage> {
  const models = chooseModels(example);
  const hub = await openHub({ store: await openStore(), adapters: createDefaultAdapters() });
  const server = await serveWebSocket(hub);
  const clients: HubClient[] = [];
  // Only a real model may fail and be asked again; otherwise nobody waits for what will not come.
  const watch = watchTurns(() => {
    if (models.kind !== "real") for (const client of clients) void client.close();
  });
  const connect = (name: string): HubClient => {
    const logger = watch.loggerOf(name);
    const client = createHubClient({ link: createNodeLink(server.url), logger });
    clients.push(client);
    return client;
  };
  const lines = async (channelId: string): Promise<readonly Line[]> =>
    (await hub.readWal(channelId)).flatMap((envelope): Line[] => {
      const text = saidIn(envelope);
      return text === null ? [] : [[hub.nameFor(envelope.sender_id), text]];
    });
  return {
    hub,
    models,
    async agent({
      name,
      instructions,
      script,
      tools = [],
      maxTokens = 300,
      network = false,
      ...known
    }) {
      const model = await models.of(name, script);
      const generation = { maxTokens, temperature: 0 };
      const logger = watch.loggerOf(name);
      const agent = createModelAgent({ name, model, instructions, tools, generation, logger });
      const { summary = "", capabilities = [] } = known;
      const resume = { summary, claimed_capabilities: [...capabilities] };
      return connect(name).register(agent, { resume, networkTools: network });
    },
    person: (name) => connect(name).registerHuman({ name }),
    lines,
    async end(channelId) {
      const metadata = await until(
        async () => {
          const now = await hub.getChannel(channelId);
          const isLost = watch.failure !== null && models.kind !== "real";
          return (isTerminalState(now.state) || isLost) && now;
        },
        { timeoutMs: PATIENCE_MS[models.kind], describe: `the end of channel ${channelId}` },
      );
      assert.ok(isTerminalState(metadata.state), watch.failure ?? undefined);
      const said = await lines(channelId);
      for (const [speaker, text] of said) console.log(`${speaker}: ${text}`);
      console.log(`(${metadata.close_reason})`);
      return { lines: said, reason: metadata.close_reason };
    },
    checkWords(got, wanted) {
      if (models.followScripts) assert.deepEqual(got, wanted);
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.drain();
      await hub.drain();
      await models.save();
    },
  };
}

/** What somebody said: a text, the words of a packet, or what it hands on when it has none. */
function saidIn({ event_type, event_data }: Envelope): string | null {
  if (event_type === EV_TEXT) return String(event_data["text"]);
  if (event_type !== EV_PACKET) return null;
  const { summary, reason } = (event_data["routing"] ?? {}) as Record<string, unknown>;
  return String(event_data["body"] || summary || reason || "");
}
