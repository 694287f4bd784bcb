import type { ModelContent, ModelResult, ModelStreamPart } from "../ai-sdk/model-types.js";
import type { ScriptedCall } from "./scripted-call.js";
import type { ScriptedAnswer } from "./scripted-step.js";

/** A scripted answer in the words of the AI SDK's models. */
export interface SpokenAnswer {
  readonly content: ModelContent[];
  readonly finishReason: ModelResult["finishReason"];
  readonly usage: ModelResult["usage"];
}

/** Puts an answer in the AI SDK's words. */
export function speak(
  answer: ScriptedAnswer,
  call: ScriptedCall,
  nextId: () => string,
): SpokenAnswer {
  const text = answer.text ?? answer.deltas?.join("") ?? "";
  const toolCalls = answer.toolCalls ?? [];
  const unified = answer.finishReason ?? (toolCalls.length > 0 ? "tool-calls" : "stop");
  return {
    content: [
      ...(answer.reasoning ? [{ type: "reasoning" as const, text: answer.reasoning }] : []),
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...toolCalls.map(({ id, name, arguments: args = {} }) => ({
        type: "tool-call" as const,
        toolCallId: id ?? nextId(),
        toolName: name,
        input: typeof args === "string" ? args : JSON.stringify(args),
      })),
    ],
    finishReason: { unified, raw: unified },
    usage: usageOf(answer, text, call),
  };
}

function usageOf({ usage = {} }: ScriptedAnswer, text: string, call: ScriptedCall) {
  const asked = call.prompt.map((message) => JSON.stringify(message.content)).join(" ");
  const input = usage.inputTokens ?? countWords(asked);
  const output = usage.outputTokens ?? countWords(text);
  const cacheRead = usage.cachedTokens ?? 0;
  return {
    inputTokens: { total: input, noCache: input - cacheRead, cacheRead, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}

/** The same answer piece by piece. */
export function toPieces(answer: ScriptedAnswer, spoken: SpokenAnswer): ModelStreamPart[] {
  const { finishReason, usage } = spoken;
  return [
    { type: "stream-start", warnings: [] },
    ...spoken.content.flatMap((part, at) => piecesOf(part, String(at), answer.deltas)),
    ...(answer.breaksWith === undefined
      ? [{ type: "finish" as const, finishReason, usage }]
      : [{ type: "error" as const, error: answer.breaksWith }]),
  ];
}

function piecesOf(
  part: ModelContent,
  id: string,
  deltas: readonly string[] | undefined,
): ModelStreamPart[] {
  if (part.type === "tool-call") return [part];
  if (part.type === "reasoning") {
    return [
      { type: "reasoning-start", id },
      { type: "reasoning-delta", id, delta: part.text },
      { type: "reasoning-end", id },
    ];
  }
  if (part.type !== "text") return [];
  const pieces = deltas ?? part.text.match(/\s*\S+\s*$|\s*\S+/g) ?? [part.text];
  return [
    { type: "text-start", id },
    ...pieces.map((delta) => ({ type: "text-delta" as const, id, delta })),
    { type: "text-end", id },
  ];
}
