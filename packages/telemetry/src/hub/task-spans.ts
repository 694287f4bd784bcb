import { isTerminalTaskState, parseTimestamp, taskStateSchema } from "@colloquy/protocol";
import { type Attributes, SpanKind } from "@opentelemetry/api";
import { ATTR, textAttribute } from "../spans/attributes.js";
import { type SpanMaker, startSpan } from "../spans/open-span.js";

type Payload = Readonly<Record<string, unknown>>;

/** Something that has happened to a task. */
export interface TaskHappening {
  readonly taskId: string;
  readonly kind: string;
  readonly payload: Payload;
}

/** Makes the span of a task that has ended, dated back to its start; nothing for other events. */
export function traceTaskEvent(maker: SpanMaker, { taskId, kind, payload }: TaskHappening): void {
  const state = taskStateSchema.safeParse(kind);
  if (!state.success || !isTerminalTaskState(state.data)) return;
  const { capability, reason } = payload;
  const endedAt = timeOf(payload["at"]) ?? maker.now();
  const startedAt = Math.min(timeOf(payload["started_at"]) ?? endedAt, endedAt);
  const span = startSpan(maker, {
    name: `network.task ${typeof capability === "string" && capability !== "" ? capability : "task"}`,
    type: "task",
    kind: SpanKind.INTERNAL,
    attributes: {
      [ATTR.taskId]: taskId,
      [ATTR.outcome]: kind,
      ...textIn(payload, "capability", ATTR.capability),
      ...textIn(payload, "channel_id", ATTR.channelId),
      ...textIn(payload, "owner_id", ATTR.ownerId),
    },
    at: startedAt,
  });
  if (kind === "completed") span.end({ status: "OK", at: endedAt });
  else {
    const message = typeof reason === "string" && reason !== "" ? textAttribute(reason) : kind;
    span.end({ status: "ERROR", message, at: endedAt });
  }
}

function timeOf(value: unknown): number | null {
  return typeof value === "string" ? parseTimestamp(value) : null;
}

function textIn(payload: Payload, key: string, attribute: string): Attributes {
  const value = payload[key];
  return typeof value === "string" && value !== "" ? { [attribute]: value } : {};
}
