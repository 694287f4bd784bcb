/** One agent in a process of its own. Nothing in it knows that the hub will be killed. */
import type { DiscussionState } from "@colloquy/adapters";
import { type AgentClient, createHubClient, type HubClient, type Turn } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { EV_CHANNEL_CLOSED, silentLogger } from "@colloquy/protocol";
import type { AgentNews, AgentOrder, AgentReport, Placed } from "./messages.js";

/** Posts of one agent that are under way at the same time. */
const LOOPS = 3;

/** An agent that takes part in a run. */
interface Part {
  readonly hub: HubClient;
  readonly client: AgentClient;
  readonly acknowledged: Placed[];
  readonly answers: string[];
  readonly delivered: Placed[];
  reconnects: number;
  isFinishing: boolean;
  loops: readonly Promise<void>[];
}

let part: Part | null = null;
const tell = (news: AgentNews): void => void process.send?.(news);

process.on("disconnect", () => process.exit(1));
process.on("message", async (order: AgentOrder) => {
  if (order.kind === "join") {
    part = await join(order.url, order.name);
    tell({ kind: "joined" });
    return;
  }
  if (part === null) throw new Error("it has not joined yet");
  if (order.kind === "begin") return await begin(part, order.names, order.turns);
  tell({ kind: "report", report: await finish(part) });
});

async function join(url: string, name: string): Promise<Part> {
  const answers: string[] = [];
  const agent = {
    name,
    async ask({ context }: Turn) {
      const number = (context.state as DiscussionState).turn_count + 1;
      tell({ kind: "turn", number });
      return { text: `${name} says ${number}`, events: [] };
    },
  };
  const hub = createHubClient({
    link: createNodeLink(url),
    reconnect: { baseMs: 20, maxMs: 200 },
    logger: {
      ...silentLogger,
      debug: ({ kind, envelope_id }) => {
        if (kind === "answered") answers.push(String(envelope_id));
      },
    },
  });
  const client = await hub.attach(agent, name, { passport: {}, resume: {} });
  const joined: Part = {
    hub,
    client,
    answers,
    acknowledged: [],
    delivered: [],
    reconnects: 0,
    isFinishing: false,
    loops: [],
  };
  client.onEnvelope(async (envelope, _client, delivery) => {
    const { channel_id, envelope_id } = envelope;
    joined.delivered.push({ channel_id, envelope_id, position: delivery.position ?? 0 });
    await client.defaultHandler(envelope, client, delivery);
  });
  void countReconnects(joined);
  return joined;
}

async function countReconnects(joined: Part): Promise<void> {
  let wasOpen = false;
  for await (const { state } of joined.hub.status()) {
    if (state === "open" && !wasOpen) joined.reconnects += 1;
    wasOpen = state === "open";
  }
}

/** Everybody notes things down in a channel with the next one; the first also opens the discussion. */
async function begin(joined: Part, names: readonly string[], turns: number): Promise<void> {
  const { client } = joined;
  const at = names.indexOf(client.name);
  const next = names[(at + 1) % names.length] ?? "";
  const { channelId } = await client.open({ type: "conversation", target: next });
  joined.loops = Array.from({ length: LOOPS }, (_, loop) => postNotes(joined, channelId, loop));
  tell({ kind: "load_open" });
  if (at !== 0) return;
  const others = names.filter((name) => name !== client.name);
  const discussion = await client.open({
    type: "discussion",
    target: others,
    knobs: { max_turns: turns },
  });
  await discussion.send(`${client.name} says 1`);
  const hasEnded = ({ event_type }: { event_type: string }) => event_type === EV_CHANNEL_CLOSED;
  await client.waitForChannelEvent(discussion.channelId, hasEnded, 30_000);
  tell({ kind: "ended", channel_id: discussion.channelId });
}

/** One note after the other, each as soon as the one before it is acknowledged. */
async function postNotes(joined: Part, channel_id: string, loop: number): Promise<void> {
  for (let number = 0; !joined.isFinishing; number += 1) {
    const { envelope_id, position } = await joined.client.post({
      channel_id,
      event_type: "example.note",
      event_data: { loop, number },
      // Most are notes to the log; every fourth is delivered as well.
      audience: number % 4 === 0 ? null : [],
    });
    joined.acknowledged.push({ channel_id, envelope_id, position: position ?? 0 });
  }
}

async function finish(joined: Part): Promise<AgentReport> {
  joined.isFinishing = true;
  await Promise.all(joined.loops);
  await joined.hub.drain();
  const { acknowledged, answers, delivered, client } = joined;
  // The first connection is none that was lost.
  const reconnects = joined.reconnects - 1;
  return { agent_id: client.agentId, acknowledged, answers, delivered, reconnects };
}
