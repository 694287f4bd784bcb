import {
  agentTarget,
  always,
  contextEquals,
  roundRobinGraph,
  sequenceGraph,
  type TransitionGraph,
  transition,
} from "@colloquy/adapters";
import { type EnvelopeDraft, EV_CONTEXT_SET, EV_PACKET, EV_TEXT } from "@colloquy/protocol";
import type { Dice } from "../dice.js";
import { humanOf, type Member } from "../world/member.js";
import type { TrueChannel } from "../world/truth.js";
import type { MadePost, World } from "../world/world.js";
import type { Action } from "./action.js";

/** Somebody opens a channel with others. */
const open: Action = {
  name: "open",
  family: "talk",
  weight: 5,
  run(world) {
    const { dice } = world;
    const opener = dice.pick(present(world));
    if (opener === undefined || opener.client === null) return false;
    const type = dice.pick(["consulting", "conversation", "discussion", "workflow"]) ?? "";
    const isPair = type === "consulting" || type === "conversation";
    const known = world.members.filter(
      ({ agentId }) => agentId !== "" && agentId !== opener.agentId,
    );
    const others = dice.some(known, 1, isPair ? 1 : 3);
    if (others.length === 0) return false;
    const target = others.map(({ agentId }) => agentId);
    const opening = opener.client.open({
      type,
      target,
      knobs: knobsOf(dice, type, [opener.agentId, ...target]),
      ttl: dice.chance(0.1) ? 1 + dice.int(60) : undefined,
      requiredAcks: dice.chance(0.2) ? dice.int(target.length + 1) : undefined,
    });
    world.attempt(`${opener.name} opens a ${type}`, opening);
    return true;
  },
};

function knobsOf(dice: Dice, type: string, ids: readonly string[]): Record<string, unknown> {
  const max_turns = 1 + dice.int(8);
  if (type === "consulting") return {};
  if (type === "discussion") return { max_turns };
  if (type === "conversation") return dice.chance(0.7) ? { max_turns } : { loop_guard: max_turns };
  const allow = dice.chance(0.3) ? { allow_repeat_speaker: false } : {};
  return { graph: graphOf(dice, ids, max_turns), context_vars: { step: 0 }, ...allow };
}

function graphOf(dice: Dice, ids: readonly string[], maxTurns: number): TransitionGraph {
  const round = roundRobinGraph(ids, maxTurns);
  const target = dice.pick(ids) ?? "";
  switch (dice.int(3)) {
    case 0:
      return sequenceGraph(ids);
    case 1:
      return {
        ...round,
        transitions: [
          transition(contextEquals("step", 1), agentTarget(target)),
          ...round.transitions,
        ],
      };
    default:
      return {
        ...round,
        transitions: [...round.transitions, transition(always(), agentTarget(target))],
      };
  }
}

/** Somebody says something in a channel, in turn or not, to all or to some. */
const say: Action = {
  name: "say",
  family: "talk",
  weight: 12,
  run(world) {
    const place = anyPlace(world);
    if (place === null) return false;
    const { member, channel } = place;
    post(world, member, {
      channel_id: channel.id,
      event_type: EV_TEXT,
      event_data: {
        text: `word ${world.posts.length}`,
        weight: world.dice.int(3) === 0 ? filler(world) : "",
      },
      ...(channel.metadata.manifest.type === "conversation" ? addressOf(world, channel) : {}),
      causation_id: world.dice.chance(0.3) ? (newestOf(channel) ?? null) : null,
    });
    return true;
  },
};

/** Whoever is expected to begin does so. */
const begin: Action = {
  name: "begin",
  family: "talk",
  weight: 12,
  run(world) {
    const waiting = [...world.truth.channels.values()].flatMap((channel) => {
      const speaker = speakerOf(world, channel);
      return speaker === null ? [] : [{ speaker, channel }];
    });
    const found = world.dice.pick(waiting);
    if (found === undefined) return false;
    speak(world, found.speaker, found.channel);
    return true;
  },
};

/**
 * Who has to speak in a channel without being set off by anything that arrives: whoever begins,
 * people, an agent whose own words gave it the turn, since nobody is sent its own words, and one
 * whose rule keeps the words of people from it.
 */
export function speakerOf(world: World, channel: TrueChannel): Member | null {
  if (channel.isOver || !isOpen(channel)) return null;
  const expected = channel.adapter.expectedNext(channel.metadata, channel.states.at(-1));
  const member = world.members.find(({ agentId }) => agentId === expected?.agent_id);
  if (expected === null || member === undefined || member.client === null) return null;
  const trigger = world.truth.byId.get(expected.triggering_envelope_id ?? "")?.envelope;
  const isOwn = trigger === undefined || trigger.sender_id === member.agentId;
  const sender = world.members.find(({ agentId }) => agentId === trigger?.sender_id);
  const isKept = member.rule.access?.inbound_from !== undefined && sender?.kind === "human";
  return isOwn || isKept || member.kind === "human" ? member : null;
}

/** Takes a turn on behalf of a member. */
export function speak(world: World, member: Member, channel: TrueChannel): void {
  const isPacket = channel.metadata.manifest.type === "workflow" && world.dice.chance(0.6);
  post(world, member, {
    channel_id: channel.id,
    event_type: isPacket ? EV_PACKET : EV_TEXT,
    event_data: isPacket ? packetOf(world) : { text: `word ${world.posts.length}` },
  });
}

function packetOf({ dice, members, posts, isTroubled }: World): Record<string, unknown> {
  const set = { step: dice.int(3), [`k${dice.int(3)}`]: posts.length };
  const target = dice.pick([...members.map(({ name }) => name), "nobody"]);
  const handsOff = isTroubled && dice.chance(0.3);
  return {
    routing: handsOff ? { kind: "handoff", tool: "t", target, reason: "" } : { kind: "text" },
    context_updates: { set, delete: dice.chance(0.3) ? ["k0"] : [] },
    body: `packet ${posts.length}`,
  };
}

/** Somebody leaves a note or changes the context. */
const note: Action = {
  name: "note",
  family: "talk",
  weight: 4,
  run(world) {
    const place = anyPlace(world);
    if (place === null) return false;
    const { member, channel } = place;
    const { dice } = world;
    const isContext = channel.metadata.manifest.type === "workflow";
    post(world, member, {
      channel_id: channel.id,
      event_type: isContext ? EV_CONTEXT_SET : "app.note",
      event_data: isContext ? { set: { step: dice.int(3) }, delete: ["k1"] } : { n: dice.int(9) },
      ...addressOf(world, channel),
    });
    return true;
  },
};

/** Somebody repeats a post with its key, as after a break, or uses the key for something else. */
const repeat: Action = {
  name: "repeat",
  family: "talk",
  weight: 4,
  run(world) {
    const { dice } = world;
    const made = dice.pick(world.posts.slice(-30));
    if (made === undefined || made.member.client === null) return false;
    const draft = dice.chance(0.9) ? made.draft : { ...made.draft, event_data: { text: "other" } };
    world.attempt(`${made.member.name} repeats`, made.member.client.post(draft));
    return true;
  },
};

/** Somebody speaks as somebody else, or where it takes no part. */
const intrude: Action = {
  name: "intrude",
  family: "talk",
  weight: 2,
  run(world) {
    const { dice, clients } = world;
    const client = dice.pick(clients.filter(({ isUp }) => isUp));
    const channel = dice.pick([...world.truth.channels.values()]);
    if (client?.client == null || channel === undefined) return false;
    const here = new Set(client.members.map(({ agentId }) => agentId));
    const members = channel.metadata.participants.map(({ agent_id }) => agent_id);
    const victim = members.find((id) => !here.has(id));
    const stranger = [...here].find((id) => id !== "" && !members.includes(id));
    const sender_id = dice.chance(0.5) ? victim : stranger;
    if (sender_id === undefined) return false;
    const intruding = client.client
      .post({ channel_id: channel.id, sender_id, event_type: EV_TEXT, event_data: { text: "!" } })
      .then(() => Promise.reject(new Error(`${client.name} could speak as ${sender_id}`)));
    world.attempt(`${client.name} intrudes`, intruding);
    return true;
  },
};

/** Somebody closes a channel. */
const close: Action = {
  name: "close",
  family: "talk",
  weight: 1,
  run(world) {
    const place = anyPlace(world);
    if (place?.member.client == null) return false;
    const { member, channel } = place;
    const closing = place.member.client.hub.closeChannel(channel.id, "enough");
    world.attempt(`${member.name} closes ${channel.id}`, closing);
    return true;
  },
};

/** Somebody looks something up. */
const ask: Action = {
  name: "ask",
  family: "talk",
  weight: 1,
  run(world) {
    const { dice } = world;
    const client = dice.pick(world.members.flatMap(({ client: one }) => one ?? []));
    if (client === undefined) return false;
    const asking = dice.pick([
      () => client.hub.listChannels({ include_terminal: true }),
      () => client.hub.pendingTurnsFor(client.agentId),
      () => client.hub.listAgents(),
    ]);
    if (asking !== undefined) world.attempt(`${client.name} reads`, asking());
    return true;
  },
};

/** A tardy person gives a few receipts, in any order. */
const catchUp: Action = {
  name: "catch up",
  family: "talk",
  weight: 2,
  run({ dice, members }) {
    const member = dice.pick(members.filter(({ unread }) => unread.size > 0));
    if (member === undefined) return false;
    acknowledge(member, dice.some([...member.unread], 1, 5));
    return true;
  },
};

/** Settles envelopes that a tardy person has got. */
export function acknowledge(member: Member, envelopeIds: readonly string[]): void {
  for (const id of envelopeIds) {
    humanOf(member)?.acknowledge(id);
    member.unread.delete(id);
  }
}

export const TALK: readonly Action[] = [
  open,
  say,
  begin,
  note,
  repeat,
  intrude,
  close,
  ask,
  catchUp,
];

/** Posts under a key of its own and remembers it for a repeat. */
function post(world: World, member: Member, draft: EnvelopeDraft): void {
  if (member.client === null) return;
  const keyed: MadePost["draft"] = { ...draft, idempotency_key: `key-${world.posts.length}` };
  world.posts.push({ member, draft: keyed });
  world.attempt(`${member.name} posts ${draft.event_type}`, member.client.post(keyed));
}

function present({ members }: World): Member[] {
  return members.filter(({ client }) => client !== null);
}

/** A member that is there, in a channel that it takes part in and that is most likely open. */
function anyPlace(world: World): { member: Member; channel: TrueChannel } | null {
  const { dice, truth } = world;
  const member = dice.pick(present(world));
  if (member === undefined) return null;
  const mine = [...truth.channels.values()].filter(({ metadata }) =>
    metadata.participants.some(({ agent_id }) => agent_id === member.agentId),
  );
  const open = mine.filter((channel) => !channel.isOver);
  const channel = dice.pick(open.length > 0 && dice.chance(0.95) ? open : mine);
  return channel === undefined ? null : { member, channel };
}

function addressOf({ dice }: World, { metadata }: TrueChannel): Partial<EnvelopeDraft> {
  const ids = metadata.participants.map(({ agent_id }) => agent_id);
  return {
    ...(dice.chance(0.3) ? { audience: dice.some(ids, 0, ids.length) } : {}),
    ...(dice.chance(0.3)
      ? { priority: dice.pick(["urgent", "background"] as const) ?? "normal" }
      : {}),
    ...(dice.chance(0.1) ? { ttl_seconds: dice.int(20) } : {}),
  };
}

function newestOf({ envelopes }: TrueChannel): string | undefined {
  return envelopes.at(-1)?.envelope_id;
}

function isOpen({ envelopes }: TrueChannel): boolean {
  return envelopes.some(({ event_type }) => event_type === "ag2.channel.opened");
}

function filler({ dice }: World): string {
  return "x".repeat(dice.int(3_000));
}
