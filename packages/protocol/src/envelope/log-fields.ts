import type { Envelope } from "./envelope.js";

/** What every log line about one envelope carries, under these names everywhere. */
export interface EnvelopeLogFields {
  readonly channel_id: string;
  /** Absent before the hub has given one. */
  readonly envelope_id?: string;
  /** W3C `traceparent`; absent when there is none. */
  readonly trace_id?: string;
}

/** The fields by which a log line about an envelope is found from its channel and its span. */
export function logFieldsOf({
  channel_id,
  envelope_id,
  trace_id,
}: Pick<Envelope, "channel_id" | "envelope_id" | "trace_id">): EnvelopeLogFields {
  return {
    channel_id,
    ...(envelope_id === "" ? {} : { envelope_id }),
    ...(trace_id === null ? {} : { trace_id }),
  };
}
