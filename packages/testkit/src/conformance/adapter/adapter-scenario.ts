import type { ChannelAdapter, ChannelMetadata, Envelope } from "@colloquy/protocol";

/** One channel of the type under test, and a course that it may take. */
export interface AdapterScenario {
  /** What is special about it, for the test report. */
  readonly name: string;
  /** A channel that `validateCreate` accepts, with its knobs parsed. */
  readonly channel: ChannelMetadata;
  /** Envelopes that are accepted one after the other; not empty. */
  readonly course: readonly Envelope[];
  /** Reason with which the last envelope closes the channel; absent when it stays open. */
  readonly closes?: string | undefined;
}

/** What the rules of the kit are checked against. */
export interface AdapterSubject {
  /** A new adapter of the type, which shares nothing with others. */
  makeAdapter(): ChannelAdapter;
  readonly scenario: AdapterScenario;
  /** Arbitrary courses per rule. */
  readonly runs: number;
}

/** States along a course, from the initial one to the last. */
export function statesAlong(
  adapter: ChannelAdapter,
  channel: ChannelMetadata,
  course: readonly Envelope[],
): unknown[] {
  const states = [adapter.initialState(channel)];
  for (const envelope of course) states.push(adapter.fold(states.at(-1), envelope));
  return states;
}

/** The state after a course that starts from a given state. */
export function foldAll(
  adapter: ChannelAdapter,
  state: unknown,
  course: readonly Envelope[],
): unknown {
  return course.reduce<unknown>((folded, envelope) => adapter.fold(folded, envelope), state);
}

/** What a course did to a channel. */
export interface PlayedCourse<S> {
  /** The state after the last envelope. */
  readonly state: S;
  /** Reason with which an envelope closed the channel; null when it is open. */
  readonly closed: string | null;
}

/**
 * Plays a course as a hub would: every envelope is validated, folded and asked for what follows.
 *
 * @throws what `validateSend` throws; Error when an envelope comes after the one that closed
 */
export function playCourse<S>(
  adapter: ChannelAdapter<S>,
  channel: ChannelMetadata,
  course: readonly Envelope[],
): PlayedCourse<S> {
  let state = adapter.initialState(channel);
  let closed: string | null = null;
  for (const envelope of course) {
    if (closed !== null) throw new Error(`the channel has been closed: ${closed}`);
    adapter.validateSend(channel, envelope, state);
    state = adapter.fold(state, envelope);
    closed = adapter.onAccepted(channel, envelope, state).close ?? null;
  }
  return { state, closed };
}
