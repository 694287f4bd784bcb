import type { LlamaFunction, LlamaFunctionCall, LlamaHistoryItem } from "./llama-types.js";
import type { ChatMessage, ModelFunction, PastCall } from "./model-engine.js";

/**
 * A chat as the library wants it: what the model says and does between two others is one item, and
 * the last item is the one that it goes on with.
 */
export function toLlamaHistory(
  messages: readonly ChatMessage[],
  functions: readonly ModelFunction[],
): LlamaHistoryItem[] {
  const items: LlamaHistoryItem[] = [];
  for (const message of messages) {
    if (message.role !== "assistant") {
      items.push({ type: message.role, text: message.text });
      continue;
    }
    const said = message.text === "" ? [] : [message.text];
    const done = message.calls.map((call) => toLlamaCall(call, functions));
    const last = items.at(-1);
    if (last?.type === "model") last.response.push(...said, ...done);
    else items.push({ type: "model", response: [...said, ...done] });
  }
  if (items.at(-1)?.type !== "model") items.push({ type: "model", response: [] });
  return items;
}

function toLlamaCall(call: PastCall, functions: readonly ModelFunction[]): LlamaFunctionCall {
  const description = functions.find(({ name }) => name === call.name)?.description ?? "";
  const { name, arguments: params, result } = call;
  return { type: "functionCall", name, description, params, result };
}

/** Functions by name; undefined where there is none, so that the model is told of none. */
export function toLlamaFunctions(
  functions: readonly ModelFunction[],
): Readonly<Record<string, LlamaFunction>> | undefined {
  if (functions.length === 0) return undefined;
  return Object.fromEntries(
    functions.map(({ name, description, parameters }) => [
      name,
      { description, ...(parameters === null ? {} : { params: parameters }) },
    ]),
  );
}
