import {
  type ChannelMetadata,
  type Envelope,
  isProtocolEvent,
  isTerminalState,
  type Logger,
  logFieldsOf,
  type Passport,
} from "@colloquy/protocol";
import type { HubListener } from "./hub-listener.js";
import type { EnvelopeSpan, HubTracing } from "./hub-tracing.js";

/** The spans of envelopes that are under way in a hub, and what its tracing is told besides. */
export interface EnvelopeTraces {
  /**
   * Begins the span of an envelope that has passed every check, and writes its `traceparent` into
   * it unless the sender gave one. Does nothing for events in the life of channels and tasks.
   */
  begin(envelope: Envelope): void;
  /** Ends the span of an envelope that was released, or that came to nothing; harmless without one. */
  end(envelope: Envelope, error?: Error): void;
  /** A start has found this channel; nothing for one that has ended. */
  resumeChannel(channel: ChannelMetadata): void;
  /** A start has found this agent. */
  resumeAgent(passport: Passport): void;
  /** Counts the failures to hand an envelope over while its span is open. */
  readonly listener: HubListener;
}

interface OpenTrace {
  readonly span: EnvelopeSpan;
  failures: number;
}

/** Makes the {@link EnvelopeTraces} of a hub. A fault of the tracer is logged and costs the span, not the envelope. */
export function createEnvelopeTraces(tracing: HubTracing, logger: Logger): EnvelopeTraces {
  const open = new Map<Envelope, OpenTrace>();
  const guarded = (fields: object, run: () => void): void => {
    try {
      run();
    } catch (error) {
      logger.error({ err: error, ...fields }, "the tracer failed");
    }
  };
  const end: EnvelopeTraces["end"] = (envelope, error) => {
    const trace = open.get(envelope);
    if (trace === undefined) return;
    open.delete(envelope);
    guarded(logFieldsOf(envelope), () =>
      trace.span.end({ dispatchFailures: trace.failures, error }),
    );
  };
  return {
    begin(envelope) {
      if (isProtocolEvent(envelope.event_type)) return;
      guarded(logFieldsOf(envelope), () => {
        const span = tracing.startEnvelope(envelope);
        if (span === null) return;
        open.set(envelope, { span, failures: 0 });
        envelope.trace_id ??= span.traceparent;
      });
    },
    end,
    resumeChannel(channel) {
      if (isTerminalState(channel.state)) return;
      guarded({ channel_id: channel.channel_id }, () => tracing.resumeChannel?.(channel));
    },
    resumeAgent: (passport) =>
      guarded({ agent_id: passport.agent_id }, () => tracing.resumeAgent?.(passport)),
    listener: {
      onDispatchFailed(envelope) {
        const trace = open.get(envelope);
        if (trace !== undefined) trace.failures += 1;
      },
      onEnvelopeDispatched: (envelope) => end(envelope),
    },
  };
}
