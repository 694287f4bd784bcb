import type { Message, ToolCall } from "@colloquy/protocol";

/** Result given to a call that never got one. */
export const ABORTED_RESULT = "(aborted: this call has no result)";

/**
 * Puts each tool call's result right behind the message that asked for it.
 *
 * Every call id appears once, with one result: a repeated call is left out, of several results the
 * first counts, a result without a call before it is left out, and a call without a result is
 * closed with {@link ABORTED_RESULT}. An assistant message of which nothing is left goes too.
 */
export function pairToolCalls(messages: readonly Message[]): Message[] {
  const results = firstResults(messages);
  const called = new Set<string>();
  return messages.flatMap((message, index) => {
    if (message.role === "tool") return [];
    if (message.tool_calls === undefined) return [message];
    const calls = message.tool_calls.filter(({ id }) => !called.has(id) && called.add(id));
    const { tool_calls: _, ...rest } = message;
    if (calls.length === 0) return rest.content === null ? [] : [rest];
    const answers = calls.map((call) => answerTo(call, results.get(call.id), index));
    return [{ ...rest, tool_calls: calls }, ...answers];
  });
}

interface FoundResult {
  readonly index: number;
  readonly message: Message;
}

/** Call id → its results with their places; only those behind the call can answer it. */
function firstResults(messages: readonly Message[]): Map<string, FoundResult[]> {
  const found = new Map<string, FoundResult[]>();
  for (const [index, message] of messages.entries()) {
    const id = message.role === "tool" ? message.tool_call_id : undefined;
    if (id !== undefined) found.set(id, [...(found.get(id) ?? []), { index, message }]);
  }
  return found;
}

function answerTo(call: ToolCall, results: FoundResult[] | undefined, callIndex: number): Message {
  const result = results?.find(({ index }) => index > callIndex)?.message;
  return {
    role: "tool",
    content: result?.content ?? ABORTED_RESULT,
    tool_call_id: call.id,
    name: call.name,
  };
}
