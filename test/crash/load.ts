import { roundRobinGraph } from "@colloquy/adapters";
import {
  type Channel,
  createHubClient,
  createScriptedAgent,
  type HubClient,
  type HumanClient,
  isClientError,
  type ParticipantClient,
  type ScriptLine,
  type Turn,
} from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import {
  type ChannelMetadata,
  type Envelope,
  type EnvelopeDraft,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  EV_CONTEXT_SET,
  EV_PACKET,
  EV_TEXT,
  handoff,
  isNetworkError,
} from "@colloquy/protocol";
import type { JournalLine } from "../checker/journal/journal.js";
import { journalingLink } from "../journal/journaling-link.js";
import type { Dice } from "../simulation/dice.js";

/** Conversations that go on at the same time. */
const LANES = 8;
/** Milliseconds that a channel may take before its lane turns to another one. */
const PATIENCE_MS = 10_000;

/** Clients that talk as fast as they can, in channels of all types. */
export interface Load {
  /** What each client has seen and done, by name. */
  readonly journals: ReadonlyMap<string, readonly JournalLine[]>;
  /** Posts that were acknowledged so far. */
  readonly acknowledged: number;
  /** Posts that were sent once more with their key after they had been acknowledged. */
  readonly resent: number;
  /** Begins nothing new; resolves when every lane has ended. */
  wind(): Promise<void>;
  /** Does what is still to be done so that every channel ends; gives the number of those that have not. */
  finish(): Promise<number>;
  close(): Promise<void>;
}

/** Starts to talk to a hub. */
export async function startLoad(url: string, dice: Dice): Promise<Load> {
  const journals = new Map<string, JournalLine[]>();
  const members: ParticipantClient[] = [];
  const clients: HubClient[] = [];
  let acknowledged = 0;
  let resent = 0;
  let isWinding = false;

  const connect = (name: string): { client: HubClient; write: (line: JournalLine) => void } => {
    const lines: JournalLine[] = [];
    journals.set(name, lines);
    const write = (line: JournalLine): void => {
      if (line.kind === "posted") acknowledged += 1;
      lines.push(line);
    };
    const client = createHubClient({
      link: journalingLink(createNodeLink(url), write),
      reconnect: { baseMs: 20, maxMs: 300 },
    });
    clients.push(client);
    return { client, write };
  };
  const takeTurn = async (
    write: (line: JournalLine) => void,
    { agentId: agent_id, envelope, channel }: Turn,
  ): Promise<ScriptLine> => {
    const { channel_id, envelope_id: trigger_id } = envelope;
    write({ kind: "turn", agent_id, channel_id, trigger_id, envelope_id: null });
    if (dice.chance(0.03)) throw new Error("the agent crashed");
    const text = `${agent_id} on ${trigger_id}`;
    if (channel.manifest.type !== "workflow" || dice.chance(0.7)) return text;
    const other = dice.pick(members.filter(({ agentId }) => agentId !== agent_id));
    return {
      text,
      events: [
        { type: "tool_call", id: "1", name: "pass_on", arguments: {} },
        { type: "tool_result", id: "1", result: handoff(other?.name ?? "nobody") },
      ],
    };
  };
  for (const [name, kinds] of [
    ["one", ["agent", "agent", "agent"]],
    ["two", ["agent", "agent", "human"]],
    ["three", ["agent", "human"]],
  ] as const) {
    const { client, write } = connect(name);
    for (const [index, kind] of kinds.entries()) {
      const called = `${name}-${index}`;
      const agent = createScriptedAgent(called, (turn) => takeTurn(write, turn));
      if (kind === "human") members.push(await joinPerson(client, called));
      else members.push(await client.register(agent));
    }
  }

  /** Posts until the hub has said yes or no, and sometimes once more. */
  const post = async (member: ParticipantClient, draft: EnvelopeDraft): Promise<void> => {
    const keyed = { ...draft, idempotency_key: `k-${dice.hex(16)}` };
    for (;;) {
      try {
        await member.post(keyed);
        break;
      } catch (error) {
        if (isPassing(error)) continue;
        if (isNetworkError(error)) return;
        throw error;
      }
    }
    if (!dice.chance(0.3)) return;
    resent += 1;
    await Promise.allSettled([member.post(keyed), member.post(keyed)]);
  };
  const lane = async (): Promise<void> => {
    while (!isWinding) {
      try {
        await converse(members, dice, post);
      } catch (error) {
        if (!isClientError(error) && !isNetworkError(error)) throw error;
      }
    }
  };
  const lanes = Array.from({ length: LANES }, lane);

  return {
    journals,
    get acknowledged() {
      return acknowledged;
    },
    get resent() {
      return resent;
    },
    async wind() {
      isWinding = true;
      await Promise.all(lanes);
    },
    async finish() {
      const open = new Map<string, ChannelMetadata>();
      for (const { agentId, hub } of members) {
        const listed = await hub.listChannels({ agent_id: agentId, limit: null });
        for (const channel of listed) open.set(channel.channel_id, channel);
      }
      for (const channel of open.values()) await moveOn(members, channel, post);
      return open.size;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** A person that answers whenever it may, in every channel but conversations. */
async function joinPerson(client: HubClient, name: string): Promise<HumanClient> {
  const answer = async (envelope: Envelope): Promise<void> => {
    const { channel_id, event_type, envelope_id } = envelope;
    if (event_type !== EV_TEXT && event_type !== EV_PACKET) return;
    const { metadata } = await person.channel(channel_id);
    if (metadata.manifest.type === "conversation") return;
    if (!(await client.canSend(channel_id, person.agentId))) return;
    await person.say(channel_id, `${name} on ${envelope_id}`, { idempotencyKey: envelope_id });
  };
  const person = await client.registerHuman({ name });
  // What it cannot say now is said for it at the end.
  person.onEnvelope((envelope) => answer(envelope).catch(() => undefined));
  return person;
}

type Post = (member: ParticipantClient, draft: EnvelopeDraft) => Promise<void>;

/** One channel from its opening to its end, or until it has taken too long. */
async function converse(
  members: readonly ParticipantClient[],
  dice: Dice,
  post: Post,
): Promise<void> {
  const type = dice.pick(["consulting", "conversation", "discussion", "workflow"]) ?? "";
  const isPair = type === "consulting" || type === "conversation";
  const [opener, ...others] = dice.some(members, isPair ? 2 : 3, isPair ? 2 : 4);
  if (opener === undefined) return;
  const ids = [opener, ...others].map(({ agentId }) => agentId);
  const maxTurns = 2 + dice.int(6);
  const channel = await opener.open({
    type,
    target: ids.slice(1),
    ...(type === "discussion" || type === "conversation" ? { knobs: { max_turns: maxTurns } } : {}),
    ...(type === "workflow" ? { knobs: { graph: roundRobinGraph(ids, maxTurns) } } : {}),
  });
  await post(opener, opening(channel, dice));
  if (type === "conversation") await chat([opener, ...others], channel, dice, post);
  if (type === "workflow") {
    const set = { [`k${dice.int(3)}`]: dice.int(9) };
    const context = { channel_id: channel.channelId, event_type: EV_CONTEXT_SET };
    await post(opener, { ...context, event_data: { set, delete: [] } });
  }
  await opener.waitForChannelEvent(channel.channelId, isEnd, PATIENCE_MS);
}

function opening({ channelId: channel_id, metadata }: Channel, dice: Dice): EnvelopeDraft {
  const body = `first words ${dice.hex(8)}`;
  if (metadata.manifest.type !== "workflow" || dice.chance(0.5)) {
    return { channel_id, event_type: EV_TEXT, event_data: { text: body } };
  }
  const context_updates = { set: { step: dice.int(9) }, delete: [] };
  const event_data = { routing: { kind: "text" }, context_updates, body };
  return { channel_id, event_type: EV_PACKET, event_data };
}

/** Both talk at the same time, to all or to one; then one of them closes the channel. */
async function chat(
  pair: readonly ParticipantClient[],
  channel: Channel,
  dice: Dice,
  post: Post,
): Promise<void> {
  const words = Array.from({ length: 1 + dice.int(6) }, async (_, index) => {
    const member = pair[index % 2];
    const audience = dice.chance(0.3) ? [pair[(index + 1) % 2]?.agentId ?? ""] : null;
    const event_data = { text: `word ${index} ${"x".repeat(dice.int(2_000))}` };
    const draft = { channel_id: channel.channelId, event_type: EV_TEXT, event_data, audience };
    if (member !== undefined) await post(member, draft);
  });
  await Promise.all(words);
  await channel.close("enough");
}

/** Speaks where somebody has to begin or answers by hand; closes where nobody is awaited. */
async function moveOn(
  members: readonly ParticipantClient[],
  metadata: ChannelMetadata,
  post: Post,
): Promise<void> {
  const { channel_id, creator_id } = metadata;
  const creator = members.find(({ agentId }) => agentId === creator_id);
  if (creator === undefined || metadata.state !== "active") return;
  const { hub } = creator;
  const { state } = await hub.adapterState(channel_id);
  const expected = hub.adapterFor(metadata).expectedNext(metadata, state);
  if (expected === null) {
    await hub.closeChannel(channel_id, "at the end");
    return;
  }
  const speaker = members.find(({ agentId }) => agentId === expected.agent_id);
  const isAgent = speaker?.passport.kind !== "human";
  const trigger = await triggerOf(creator, channel_id, expected.triggering_envelope_id);
  const isByItself = isAgent && trigger !== null && trigger.sender_id !== expected.agent_id;
  if (speaker === undefined || isByItself) return;
  await post(speaker, { channel_id, event_type: EV_TEXT, event_data: { text: "by hand" } });
}

async function triggerOf(
  { hub }: ParticipantClient,
  channelId: string,
  envelopeId: string | null,
): Promise<Envelope | null> {
  const wal = envelopeId === null ? [] : await hub.readWal(channelId);
  return wal.find(({ envelope_id }) => envelope_id === envelopeId) ?? null;
}

function isEnd({ event_type }: Envelope): boolean {
  return event_type === EV_CHANNEL_CLOSED || event_type === EV_CHANNEL_EXPIRED;
}

/** What the next attempt may not meet: a break, or a hub that is going or coming. */
function isPassing(error: unknown): boolean {
  if (isClientError(error)) {
    return error.code === "client/connection_lost" || error.code === "client/timed_out";
  }
  return isNetworkError(error) && ["unavailable", "store_failed"].includes(error.code);
}
