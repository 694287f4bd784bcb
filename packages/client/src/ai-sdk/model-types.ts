import type { LanguageModel } from "ai";

/** A model object of the AI SDK's current specification. */
export type ModelObject = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;
/** What such a model is asked. */
export type ModelCallOptions = Parameters<ModelObject["doStream"]>[0];
/** What such a model answers in one piece. */
export type ModelResult = Awaited<ReturnType<ModelObject["doGenerate"]>>;
/** What such a model answers piece by piece. */
export type ModelStream = Awaited<ReturnType<ModelObject["doStream"]>>;
/** One piece of {@link ModelStream}. */
export type ModelStreamPart = ModelStream["stream"] extends ReadableStream<infer P> ? P : never;
/** One part of {@link ModelResult}. */
export type ModelContent = ModelResult["content"][number];

/** Who serves a model and what it is called; a bare name is served by the SDK's gateway. */
export function identityOf(model: LanguageModel): { provider: string; model: string } {
  if (typeof model === "string") return { provider: "gateway", model };
  return { provider: model.provider, model: model.modelId };
}
