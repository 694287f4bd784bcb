import type { Message } from "@colloquy/protocol";
import type { AssistantModelMessage, ModelMessage, ToolResultPart } from "ai";
import { toModelParts, toPlainText } from "./to-model-parts.js";

/** A history as the AI SDK takes it. */
export interface ModelPrompt {
  /** Instructions; absent when there are none. */
  readonly system?: string;
  readonly messages: ModelMessage[];
}

/**
 * Puts a history in the AI SDK's words: instructions apart, tool results of one message together.
 *
 * @param messages - as `toStrictRoles` of `@colloquy/views` leaves them; a `developer` counts as
 *   `system` and a summary as the user's
 */
export function toModelPrompt(messages: readonly Message[]): ModelPrompt {
  const instructions = messages.filter(isInstruction).map(({ content }) => toPlainText(content));
  const rest = messages.filter((message) => !isInstruction(message));
  return {
    ...(instructions.length === 0 ? {} : { system: instructions.join("\n\n") }),
    messages: rest.reduce<ModelMessage[]>(appendMessage, []),
  };
}

function isInstruction({ role }: Message): boolean {
  return role === "system" || role === "developer";
}

function appendMessage(prompt: ModelMessage[], message: Message): ModelMessage[] {
  const last = prompt.at(-1);
  if (message.role === "tool") {
    const result = toToolResult(message);
    if (last?.role === "tool") last.content.push(result);
    else prompt.push({ role: "tool", content: [result] });
    return prompt;
  }
  prompt.push(message.role === "assistant" ? toAssistant(message) : toUser(message));
  return prompt;
}

function toUser({ content }: Message): ModelMessage {
  if (content === null || typeof content === "string") {
    return { role: "user", content: content ?? "" };
  }
  return { role: "user", content: toModelParts(content) };
}

function toAssistant({ content, tool_calls = [] }: Message): AssistantModelMessage {
  const text = toPlainText(content);
  if (tool_calls.length === 0) return { role: "assistant", content: text };
  return {
    role: "assistant",
    content: [
      ...(text === "" ? [] : [{ type: "text", text } as const]),
      ...tool_calls.map((call) => ({
        type: "tool-call" as const,
        toolCallId: call.id,
        toolName: call.name,
        input: call.arguments,
      })),
    ],
  };
}

function toToolResult({ content, tool_call_id = "", name = "" }: Message): ToolResultPart {
  return toolResultPart({ id: tool_call_id, name }, toPlainText(content), false);
}

/** The result of a call as a model reads it. */
export function toolResultPart(
  call: { readonly id: string; readonly name: string },
  text: string,
  failed: boolean,
): ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: call.id,
    toolName: call.name,
    output: { type: failed ? "error-text" : "text", value: text },
  };
}
