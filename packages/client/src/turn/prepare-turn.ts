import {
  type ChannelAdapter,
  type ChannelMetadata,
  type Content,
  type Envelope,
  HUB_EVENTS,
  type Message,
  PARTICIPANT_EVENTS,
  type ViewContext,
} from "@colloquy/protocol";
import { currentInput } from "@colloquy/views";
import type { TurnFacts } from "../verbs/hub-verbs.js";
import { isOvertaken, ownWordsBehind } from "./later-words.js";
import { resolveViewPolicy } from "./resolve-view-policy.js";
import type { TurnHost } from "./turn-host.js";

/** What a turn is given to answer that follows the agent's own answer. */
const OWN_TURN_INPUT = "It is your turn again. Go on from what you have said.";

/** Why no turn is run. */
export type SkipReason =
  | "channel_not_active"
  | "already_answered"
  | "may_not_send"
  | "overtaken"
  | "nothing_to_answer";

/** All that a turn is run on. */
export interface PreparedTurn {
  readonly kind: "turn";
  readonly metadata: ChannelMetadata;
  readonly adapter: ChannelAdapter;
  readonly state: unknown;
  readonly history: readonly Message[];
  readonly input: Content;
  /** Id to name of everybody in the channel. */
  readonly names: Readonly<Record<string, string>>;
}

/** No turn is due. */
export interface SkippedTurn {
  readonly kind: "skip";
  readonly reason: SkipReason;
}

/** What {@link prepareTurn} needs. */
export type PrepareHost = Pick<TurnHost, "hub" | "client" | "metadataOf" | "lastOwnPosition">;

/**
 * Reads what a turn needs and projects it through the agent's view.
 *
 * The history is what stands before the trigger. An envelope that was answered already, that the
 * agent may not answer now, or that gives nothing to answer leads to no turn.
 */
export async function prepareTurn(
  host: PrepareHost,
  trigger: Envelope,
): Promise<PreparedTurn | SkippedTurn> {
  const { hub, client } = host;
  const { agentId } = client;
  const channelId = trigger.channel_id;
  const known = await host.metadataOf(channelId);
  const view = resolveViewPolicy(hub, known, agentId);
  const facts = await hub.prepareTurn({
    channel_id: channelId,
    agent_id: agentId,
    envelope_id: trigger.envelope_id,
    last: view.needs === "all" ? null : view.needs.last,
  });
  const { metadata, state, names } = facts;
  const { state: stage } = metadata;
  if (stage !== "active" && stage !== "closing") return skip("channel_not_active");
  if (facts.answered !== null) return skip("already_answered");
  if (!facts.can_send) return skip("may_not_send");

  const adapter = hub.adapterFor(metadata);
  const expected = adapter.expectedNext(metadata, state);
  const at = { envelopeId: trigger.envelope_id, position: facts.position };
  const isOwed =
    expected?.agent_id === agentId && expected.triggering_envelope_id === trigger.envelope_id;
  if (!isOwed && mustBeOwed(trigger, agentId)) return skip("nothing_to_answer");
  if (await isOvertaken(hub, channelId, at, expected, agentId)) return skip("overtaken");

  const context: ViewContext = {
    participantId: agentId,
    channel: metadata,
    render: (envelope) => adapter.renderEnvelope(envelope),
    nameFor: (id) => names[id] ?? id,
  };
  const isOwn = saidBy(agentId, trigger);
  const input = isOwn
    ? OWN_TURN_INPUT
    : currentInput(view, trigger, context, (envelope) => adapter.turnInput(envelope));
  if (input === null) return skip("nothing_to_answer");
  const own = isOwn ? [trigger] : [];
  const envelopes = [...facts.envelopes, ...own, ...(await laterWords(host, channelId, facts))];
  const history = view.project({ envelopes, left_out: facts.left_out }, context);
  return { kind: "turn", metadata, adapter, state, history, input, names };
}

/** What an agent has said itself, and what happens to a channel, sets off a turn only where it is the trigger. */
function mustBeOwed(trigger: Envelope, agentId: string): boolean {
  return PARTICIPANT_EVENTS.has(trigger.event_type) || saidBy(agentId, trigger);
}

/** What the hub says in an agent's name the agent has not said. */
function saidBy(agentId: string, { sender_id, event_type }: Envelope): boolean {
  return sender_id === agentId && !HUB_EVENTS.has(event_type);
}

function laterWords(host: PrepareHost, channelId: string, facts: TurnFacts): Promise<Envelope[]> {
  const last = host.lastOwnPosition(channelId);
  if (last !== null && last <= facts.position) return Promise.resolve([]);
  return ownWordsBehind(host.hub, channelId, facts.position, host.client.agentId);
}

function skip(reason: SkipReason): SkippedTurn {
  return { kind: "skip", reason };
}
