import type { ChannelAdapter, ChannelMetadata, Envelope } from "@colloquy/protocol";
import fc from "fast-check";
import type { AdapterScenario } from "./adapter-scenario.js";
import { arbitraryEnvelope } from "./channel-envelopes.js";

/** An envelope that somebody wants to send, perhaps as whoever is expected to speak. */
interface Wish {
  readonly envelope: Envelope;
  readonly asExpected: boolean;
}

/** What somebody wants to send in a channel, one after the other. */
export type Wishes = readonly Wish[];

/** Arbitrary wishes: mostly out of nowhere, some of them from the scenario's own course. */
export function arbitraryWishes({ channel, course }: AdapterScenario): fc.Arbitrary<Wishes> {
  const envelope = fc.oneof(
    { weight: 4, arbitrary: arbitraryEnvelope(channel) },
    { weight: 1, arbitrary: fc.constantFrom(...course) },
  );
  return fc.array(fc.record({ envelope, asExpected: fc.boolean() }), { maxLength: 16 });
}

/** What a hub would have after wishes. */
interface LiveCourse {
  /** The envelopes that it would admit, in order. */
  readonly admitted: readonly Envelope[];
  /** The state that they left behind. */
  readonly state: unknown;
}

/** The envelopes of {@link playWishes}. */
export function admitWishes(
  adapter: ChannelAdapter,
  channel: ChannelMetadata,
  wishes: Wishes,
): readonly Envelope[] {
  return playWishes(adapter, channel, wishes).admitted;
}

/**
 * Does with wishes what a hub would, until the channel closes: each is prepared, validated against
 * the state so far, folded, and asked for what follows.
 */
export function playWishes(
  adapter: ChannelAdapter,
  channel: ChannelMetadata,
  wishes: Wishes,
): LiveCourse {
  const admitted: Envelope[] = [];
  let state = adapter.initialState(channel);
  for (const wish of wishes) {
    const envelope = prepare(adapter, channel, asSent(adapter, channel, state, wish));
    if (!isAccepted(adapter, channel, envelope, state)) continue;
    state = adapter.fold(state, envelope);
    admitted.push(envelope);
    if (adapter.onAccepted(channel, envelope, state).close !== undefined) break;
  }
  return { admitted, state };
}

/** True unless `validateSend` throws, whatever it throws. */
function isAccepted(
  adapter: ChannelAdapter,
  channel: ChannelMetadata,
  envelope: Envelope,
  state: unknown,
): boolean {
  try {
    adapter.validateSend(channel, envelope, state);
    return true;
  } catch {
    return false;
  }
}

function asSent(
  adapter: ChannelAdapter,
  channel: ChannelMetadata,
  state: unknown,
  { envelope, asExpected }: Wish,
): Envelope {
  const speaker = asExpected ? adapter.expectedNext(channel, state) : null;
  return speaker === null ? envelope : { ...envelope, sender_id: speaker.agent_id };
}

/** Names of the kit are ids, so nothing resolves beyond them. */
function prepare(adapter: ChannelAdapter, channel: ChannelMetadata, envelope: Envelope): Envelope {
  const prepared = adapter.prepareSend?.(channel, envelope, { resolveName: () => null });
  return prepared === undefined
    ? envelope
    : { ...envelope, event_data: { ...prepared.event_data } };
}
