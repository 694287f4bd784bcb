import type { ModelCallOptions, ModelObject, ModelStreamPart } from "../ai-sdk/model-types.js";
import { ClientError } from "../errors.js";
import { describeDifference } from "./describe-difference.js";
import { fromRecordedFailure } from "./recorded-failure.js";
import { fromRecordedPieces } from "./recorded-pieces.js";
import { type Manner, toRecordedQuestion } from "./recorded-request.js";
import { fromRecordedResult } from "./recorded-result.js";
import {
  type ModelRecording,
  parseRecording,
  type RecordedAnswer,
  type RecordedExchange,
  type RecordedRequest,
} from "./recording.js";
import { createStableIds, type StableIds } from "./stable-ids.js";
import { streamPieces } from "./stream-pieces.js";

/** A model that answers out of a recording. */
export type ReplayedModel = ModelObject & {
  /** How many of the recorded questions have not been asked. */
  readonly left: number;
};

/**
 * A model that gives the recorded answers again, word for word and piece by piece, without a network.
 *
 * A question is answered by the first recorded one that is equal and has not been asked yet, so that
 * agents who share a model may ask in another order. Equal means: the same manner (whole or piece by
 * piece), prompt, tools and settings, but for ids and moments; each id must stand in the same places.
 * A question that was not recorded rejects with `client/recording_differs`, which says where it first
 * differs from the one whose turn it was.
 *
 * @throws InvalidInputError when it is no recording
 */
export function replayModel(recording: ModelRecording): ReplayedModel {
  const { model, exchanges } = parseRecording(recording);
  const left = [...exchanges];
  const take = (
    how: Manner,
    options: ModelCallOptions,
  ): { answer: RecordedAnswer; ids: StableIds } => {
    options.abortSignal?.throwIfAborted();
    const ids = createStableIds();
    const { request } = toRecordedQuestion(how, options, ids);
    const at = left.findIndex((exchange) => isEqual(exchange.request, request));
    const [found] = at < 0 ? [] : left.splice(at, 1);
    if (found === undefined) throw differs(left, exchanges.length, request);
    return { answer: found.answer, ids };
  };
  return {
    specificationVersion: "v3",
    provider: model.provider,
    modelId: model.name,
    supportedUrls: {},
    get left() {
      return left.length;
    },
    async doGenerate(options) {
      const { answer, ids } = take("whole", options);
      if ("failure" in answer) throw fromRecordedFailure(answer.failure);
      if ("result" in answer) return fromRecordedResult(answer.result, ids);
      throw new TypeError("a question for a whole answer was recorded with pieces");
    },
    async doStream(options) {
      const { answer, ids } = take("stream", options);
      if ("failure" in answer) throw fromRecordedFailure(answer.failure);
      if (!("pieces" in answer)) {
        throw new TypeError("a question for pieces was recorded with a whole answer");
      }
      const pieces: ModelStreamPart[] = fromRecordedPieces(answer.pieces, ids);
      return { stream: streamPieces(pieces, options.abortSignal) };
    },
  };
}

function isEqual(recorded: RecordedRequest, asked: RecordedRequest): boolean {
  return describeDifference(recorded, asked) === null;
}

/** Compared with the next question that the same instructions were given, else with the next of all. */
function differs(
  left: readonly RecordedExchange[],
  total: number,
  asked: RecordedRequest,
): ClientError {
  const next = left.find(({ request }) => isSamePrompt(request, asked)) ?? left[0];
  const why =
    next === undefined
      ? `all ${total} recorded questions have been asked`
      : `it differs ${describeDifference(next.request, asked)}`;
  return new ClientError(
    "client/recording_differs",
    `the recording has no answer to this question: ${why}; record it again if the change is meant`,
    { details: { left: left.length, total } },
  );
}

function isSamePrompt(recorded: RecordedRequest, asked: RecordedRequest): boolean {
  const first = ({ prompt }: RecordedRequest): unknown =>
    Array.isArray(prompt) ? prompt[0] : null;
  return JSON.stringify(first(recorded)) === JSON.stringify(first(asked));
}
