import { ApiError } from "./api-error.js";
import type { ChatMessage, PastCall } from "./model-engine.js";
import type { WireMessage } from "./wire-request.js";

type WireAssistant = Extract<WireMessage, { role: "assistant" }>;
type Content = WireMessage["content"];

/**
 * Messages of a request in the engine's words: each call of a tool has its result.
 *
 * @throws ApiError with status 400, naming the message
 */
export function readMessages(messages: readonly WireMessage[]): ChatMessage[] {
  const read: ChatMessage[] = [];
  for (let at = 0; at < messages.length; ) {
    const message = messages[at];
    if (message === undefined) break;
    const results = resultsBehind(messages, at);
    if (message.role === "tool") {
      throw wrong(`messages[${at}].tool_call_id`, "no assistant message before it made this call");
    }
    read.push(
      message.role === "assistant"
        ? { role: "assistant", text: textOf(message.content), calls: callsOf(message, at, results) }
        : { role: message.role === "user" ? "user" : "system", text: textOf(message.content) },
    );
    at += 1 + results.size;
  }
  const last = messages.at(-1);
  if (last?.role === "assistant") {
    throw wrong(
      `messages[${messages.length - 1}].role`,
      "the last message may not be the model's own",
    );
  }
  return read;
}

/** The tool messages that stand right behind a message, by the call that they answer. */
function resultsBehind(messages: readonly WireMessage[], at: number): Map<string, string> {
  const results = new Map<string, string>();
  if (messages[at]?.role !== "assistant") return results;
  for (const [offset, message] of messages.slice(at + 1).entries()) {
    if (message.role !== "tool") break;
    const field = `messages[${at + 1 + offset}].tool_call_id`;
    if (results.has(message.tool_call_id)) throw wrong(field, "this call has its result already");
    results.set(message.tool_call_id, textOf(message.content));
  }
  return results;
}

function callsOf(
  { tool_calls }: WireAssistant,
  at: number,
  results: ReadonlyMap<string, string>,
): PastCall[] {
  const calls = tool_calls ?? [];
  const made = new Set(calls.map(({ id }) => id));
  const stray = [...results.keys()].find((id) => !made.has(id));
  if (stray !== undefined) {
    throw wrong(`messages[${at}].tool_calls`, `there is no call "${stray}", which has a result`);
  }
  return calls.map(({ id, function: { name, arguments: text } }, index) => {
    const field = `messages[${at}].tool_calls[${index}]`;
    const result = results.get(id);
    if (result === undefined) throw wrong(field, "a tool message with its result must follow");
    return { name, arguments: parseArguments(text, field), result };
  });
}

function parseArguments(text: string, field: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(`${field}.function.arguments`, "it is no JSON");
  }
}

function textOf(content: Content): string {
  return (content ?? []).map(({ text }) => text).join("\n");
}

const wrong = (param: string, why: string): ApiError =>
  new ApiError(400, `${param}: ${why}`, { param });
