/** One ended span as the span log keeps it, one JSON object a line. Ids are hex, times ISO with `Z`. */
export interface SpanRecord {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id?: string;
  readonly name: string;
  readonly kind: string;
  readonly start: string;
  readonly end: string;
  readonly status: "UNSET" | "OK" | "ERROR";
  readonly status_message?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly SpanEventRecord[];
  readonly links: readonly SpanLinkRecord[];
}

/** An event of a {@link SpanRecord}. */
export interface SpanEventRecord {
  readonly name: string;
  readonly at: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A link of a {@link SpanRecord}. */
export interface SpanLinkRecord {
  readonly trace_id: string;
  readonly span_id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}
