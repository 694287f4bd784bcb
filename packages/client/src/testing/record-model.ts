import { describeKind, InvalidInputError } from "@colloquy/protocol";
import type { LanguageModel } from "ai";
import type {
  ModelCallOptions,
  ModelObject,
  ModelStream,
  ModelStreamPart,
} from "../ai-sdk/model-types.js";
import { toRecordedFailure } from "./recorded-failure.js";
import { toRecordedPieces } from "./recorded-pieces.js";
import { type Manner, toRecordedQuestion } from "./recorded-request.js";
import { toRecordedResult } from "./recorded-result.js";
import {
  type ModelRecording,
  RECORDING_FORMAT,
  type RecordedAnswer,
  type RecordedExchange,
} from "./recording.js";
import { createStableIds } from "./stable-ids.js";

/** A model whose answers are written down. */
export type RecordedModel = ModelObject & {
  /** What was asked and has been answered so far. Calls that were stopped are not in it. */
  recording(): ModelRecording;
};

interface Entry {
  readonly request: RecordedExchange["request"];
  answer: RecordedAnswer | null;
}

/**
 * A model that does what another does and writes down what it was asked and has answered, refusals
 * and broken answers too. The recording is plain JSON without headers, keys and addresses; ids and
 * moments in questions are marked, so that another run of the same conversation can be answered from
 * it. What was said stands in it word for word.
 *
 * @throws InvalidInputError when it is no model object of the AI SDK's version 6
 */
export function recordModel(model: LanguageModel): RecordedModel {
  const real = modelObject(model);
  const entries: Entry[] = [];
  const tools: ModelRecording["tools"] = {};
  const begin = (how: Manner, options: ModelCallOptions) => {
    const ids = createStableIds();
    const question = toRecordedQuestion(how, options, ids);
    const entry: Entry = { request: question.request, answer: null };
    Object.assign(tools, question.tools);
    entries.push(entry);
    const fail = (error: unknown): never => {
      if (options.abortSignal?.aborted !== true)
        entry.answer = { failure: toRecordedFailure(error) };
      throw error;
    };
    return { ids, entry, fail };
  };
  return {
    specificationVersion: "v3",
    provider: real.provider,
    modelId: real.modelId,
    supportedUrls: real.supportedUrls,
    async doGenerate(options) {
      const { ids, entry, fail } = begin("whole", options);
      const result = await real.doGenerate(options).then((found) => found, fail);
      entry.answer = { result: toRecordedResult(result, ids) };
      return result;
    },
    async doStream(options) {
      const { ids, entry, fail } = begin("stream", options);
      const { stream, ...rest } = await real.doStream(options).then((found) => found, fail);
      const note = (pieces: readonly ModelStreamPart[]): void => {
        if (options.abortSignal?.aborted === true) return;
        entry.answer = { pieces: toRecordedPieces(pieces, ids) };
      };
      return { ...rest, stream: watch(stream, note) };
    },
    recording: () => ({
      format: RECORDING_FORMAT,
      model: { provider: real.provider, name: real.modelId },
      tools: { ...tools },
      exchanges: entries.flatMap(({ request, answer }) =>
        answer === null ? [] : [{ request, answer }],
      ),
    }),
  };
}

function modelObject(model: LanguageModel): ModelObject {
  if (typeof model === "object" && model.specificationVersion === "v3") return model;
  const received = describeKind(model);
  const remedy = "Pass a model object of version 6 of the AI SDK, not a name.";
  throw new InvalidInputError(`model to record: received ${received}. ${remedy}`, {
    ...{ field: "model", received, remedy },
  });
}

/** The same stream, whose pieces are told when it has ended or broken. */
function watch(
  stream: ModelStream["stream"],
  note: (pieces: readonly ModelStreamPart[]) => void,
): ModelStream["stream"] {
  const reader = stream.getReader();
  const pieces: ModelStreamPart[] = [];
  return new ReadableStream<ModelStreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          pieces.push(value);
          if (value.type === "error") note(pieces);
          return controller.enqueue(value);
        }
        note(pieces);
        return controller.close();
      } catch (error) {
        note([...pieces, { type: "error", error }]);
        return controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
