import { parseWith } from "@colloquy/protocol";
import type { JSONValue } from "ai";
import * as z from "zod";

/** How a model writes. What is absent is left to the model's provider. */
export interface GenerationConfig {
  /** 0 or more; providers differ in the highest. */
  readonly temperature?: number | undefined;
  /** Most tokens of one answer, 1 or more. An answer that is cut there is posted as it is. */
  readonly maxTokens?: number | undefined;
  /** Share of the probability that is drawn from, above 0 to 1. */
  readonly topP?: number | undefined;
  /** Texts at which the model stops; none of them may be empty. */
  readonly stop?: readonly string[] | undefined;
  /** What only one provider knows, by the provider's name: `{ openai: { reasoningEffort: "low" } }`. */
  readonly providerOptions?: Readonly<Record<string, Record<string, JSONValue>>> | undefined;
}

const generationConfigSchema = z.strictObject({
  temperature: z.number().min(0).optional(),
  maxTokens: z.int().min(1).optional(),
  topP: z.number().gt(0).max(1).optional(),
  stop: z.array(z.string().min(1)).optional(),
  providerOptions: z.record(z.string(), z.record(z.string(), z.json())).optional(),
});

/** The settings of the AI SDK that a {@link GenerationConfig} stands for. */
export interface CallSettings {
  temperature?: number;
  maxOutputTokens?: number;
  topP?: number;
  stopSequences?: string[];
  providerOptions?: Record<string, Record<string, JSONValue>>;
}

/**
 * Checks a configuration and puts it in the AI SDK's words.
 *
 * @throws InvalidInputError that names the field
 */
export function toCallSettings(config: GenerationConfig = {}): CallSettings {
  const { temperature, maxTokens, topP, stop, providerOptions } = parseWith(
    generationConfigSchema,
    config,
    "option generation",
  );
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(topP === undefined ? {} : { topP }),
    ...(stop === undefined ? {} : { stopSequences: stop }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
}
