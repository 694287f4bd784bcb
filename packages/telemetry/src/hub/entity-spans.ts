import type { OpenSpan } from "../spans/open-span.js";

/** The spans of what lives in a hub now, by id: channels that are open, agents that are registered. */
export interface EntitySpans {
  readonly channels: Map<string, OpenSpan>;
  readonly agents: Map<string, OpenSpan>;
}

/** Makes an empty {@link EntitySpans}, which a hub's tracing and its telemetry listener share. */
export function createEntitySpans(): EntitySpans {
  return { channels: new Map(), agents: new Map() };
}
