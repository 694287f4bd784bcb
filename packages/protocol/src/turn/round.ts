import type { Envelope } from "../envelope/envelope.js";
import type { ContentPartInput } from "../message/content-part.js";

/** A model asked for a tool. `arguments` is the object, or the raw text if it was no valid JSON. */
export interface ToolCallEvent {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** A tool answered; `result` may be a `Handoff` or a `Finish`. */
export interface ToolResultEvent {
  readonly type: "tool_result";
  /** Id of the call that is answered. */
  readonly id: string;
  readonly result: unknown;
  /** True for a call that did not come to its end; its name alone then routes nowhere. */
  readonly failed?: boolean;
}

/** What happened in a round, in order. */
export type RoundEvent = ToolCallEvent | ToolResultEvent;

/** A finished model round, as an adapter needs it to build the envelope that ends it. */
export interface Round<S> {
  readonly channelId: string;
  readonly senderId: string;
  /** The final text; empty for a silent round. */
  readonly body: string;
  /** Pictures, sounds and documents that go with the text. */
  readonly parts?: readonly ContentPartInput[] | undefined;
  readonly events: readonly RoundEvent[];
  /** State of the channel when the round began. */
  readonly state: S;
  readonly knobs: Readonly<Record<string, unknown>>;
  /** Envelope that set the round off; null when the agent began by itself. */
  readonly trigger: Envelope | null;
  /** True when the `say` tool has already taken the turn in this channel. */
  readonly alreadySpoke: boolean;
  /** Agent id of a participant's or an agent's name; null when unknown. */
  resolveName(name: string): string | null;
}
