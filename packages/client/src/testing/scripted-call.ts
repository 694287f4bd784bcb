import type { ModelCallOptions } from "../ai-sdk/model-types.js";

/** What a scripted model was asked. */
export interface ScriptedCall {
  /** How many calls came before. */
  readonly index: number;
  /** As the AI SDK gives it to a model. */
  readonly prompt: ModelCallOptions["prompt"];
  /** Names of the tools that it may call. */
  readonly tools: readonly string[];
  /** The instructions; empty without any. */
  readonly instructions: string;
  /** The text of the last message, a tool's result too; empty when it has none. */
  readonly lastText: string;
  /** Everything else that was asked: settings, tools, signal. */
  readonly options: ModelCallOptions;
}

/** Reads the options of a call. */
export function readCall(index: number, options: ModelCallOptions): ScriptedCall {
  const { prompt } = options;
  const instructions = prompt.flatMap((message) =>
    message.role === "system" ? [message.content] : [],
  );
  return {
    index,
    prompt,
    tools: (options.tools ?? []).map(({ name }) => name),
    instructions: instructions.join("\n\n"),
    lastText: textOf(prompt.at(-1)),
    options,
  };
}

function textOf(message: ModelCallOptions["prompt"][number] | undefined): string {
  if (message === undefined) return "";
  if (message.role === "system") return message.content;
  const texts = message.content.map((part) => {
    if (part.type === "text") return part.text;
    if (part.type !== "tool-result") return "";
    const { output } = part;
    return "value" in output && typeof output.value === "string" ? output.value : "";
  });
  return texts.filter((text) => text !== "").join("\n");
}
