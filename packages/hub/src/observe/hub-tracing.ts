import type { ChannelMetadata, Envelope, Passport } from "@colloquy/protocol";

/** How the way of a traced envelope through the hub has ended. */
export interface EnvelopeEnd {
  /** Recipients to whom it could not be handed over. */
  readonly dispatchFailures: number;
  /** Why it was refused, or not stored; absent when it was released. */
  readonly error?: Error | undefined;
}

/** The span of one envelope. */
export interface EnvelopeSpan {
  /** W3C `traceparent` of the span. */
  readonly traceparent: string;
  /** Called once, when the envelope has been released or has come to nothing. */
  end(end: EnvelopeEnd): void;
}

/**
 * Where a hub reports the way of its envelopes. `createHubTracing` of `@colloquy/telemetry` is one.
 *
 * Called on the path of every post, so it must be quick. A throw is logged and hurts nobody.
 */
export interface HubTracing {
  /**
   * An envelope has passed every check and is about to be written. Its id and time are stamped by
   * the time its span ends. Called for substantive envelopes only; null leaves it untraced.
   */
  startEnvelope(envelope: Envelope): EnvelopeSpan | null;
  /** A channel that has not ended, as an earlier process has left it; told while the hub starts. */
  resumeChannel?(channel: ChannelMetadata): void;
  /** An agent that an earlier process has registered; told while the hub starts. */
  resumeAgent?(passport: Passport): void;
  /** Bytes of spans that were kept beside the log; `telemetry_log_bytes` of health. */
  readonly logBytes: number;
}
