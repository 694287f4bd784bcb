import { parseWith } from "@colloquy/protocol";
import type { LanguageModel } from "ai";
import * as z from "zod";
import { ClientError } from "../errors.js";
import type { ModelObject } from "./model-types.js";

/** Options of {@link openAiCompatible}. */
export interface OpenAiCompatibleOptions {
  /** Where the API begins, mostly with `/v1` at its end: `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  /** Name of the model, as the server knows it. */
  readonly model: string;
  /** Sent as the bearer token; none for most local servers. */
  readonly apiKey?: string | undefined;
  /** Sent with every request, over the header of `apiKey`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const optionsSchema = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1),
  apiKey: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

/**
 * A model behind any server that speaks the chat completions of OpenAI: a local one, a gateway, or a
 * provider. Needs the package `@ai-sdk/openai-compatible`, which is loaded at the first call; a call
 * rejects with `client/unsupported` where it is not installed.
 *
 * @throws InvalidInputError for a wrong option, naming the field
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): LanguageModel {
  const { baseUrl, model, apiKey, headers } = parseWith(
    optionsSchema,
    options,
    "options of openAiCompatible",
  );
  let loaded: Promise<ModelObject> | null = null;
  const load = (): Promise<ModelObject> => {
    loaded ??= loadProvider().then(({ createOpenAICompatible }) =>
      createOpenAICompatible({
        name: PROVIDER,
        baseURL: baseUrl,
        // Without it a stream tells no usage.
        includeUsage: true,
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(headers === undefined ? {} : { headers }),
      }).chatModel(model),
    );
    return loaded;
  };
  return {
    specificationVersion: "v3",
    provider: `${PROVIDER}.chat`,
    modelId: model,
    // Nothing is fetched by the server: what a history holds, it holds itself.
    supportedUrls: {},
    doGenerate: async (call) => (await load()).doGenerate(call),
    doStream: async (call) => (await load()).doStream(call),
  };
}

/** Prefix of the provider's name, and key of its own options in `generation.providerOptions`. */
const PROVIDER = "openaiCompatible";

async function loadProvider() {
  try {
    return await import("@ai-sdk/openai-compatible");
  } catch (cause) {
    throw new ClientError(
      "client/unsupported",
      "openAiCompatible needs the package @ai-sdk/openai-compatible; install it beside `ai`",
      { cause },
    );
  }
}
