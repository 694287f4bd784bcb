import { eventPayloadSchemas, explainIssue } from "@colloquy/protocol";

/** Throws `InvalidInputError` when a core event's content could break a fold; other events are free. */
export function checkPayload(eventType: string, content: Readonly<Record<string, unknown>>): void {
  const parsed = eventPayloadSchemas.get(eventType)?.safeParse(content);
  if (parsed === undefined || parsed.success) return;
  throw explainIssue(parsed.error.issues, content, `envelope.event_data of ${eventType}`);
}
