import type { ModelCallOptions } from "../ai-sdk/model-types.js";
import { checksum, isBlob, nameBlob } from "./blobs.js";
import type { PlainJson } from "./plain-json.js";
import type { RecordedRequest } from "./recording.js";
import type { StableIds } from "./stable-ids.js";
import { toPlainJson } from "./to-plain-json.js";

/** Whether an answer was asked for piece by piece or whole. */
export type Manner = "stream" | "whole";

/** A question as it is recorded. */
export interface RecordedQuestion {
  readonly request: RecordedRequest;
  /** What its tools are, by the names under which the request lists them. */
  readonly tools: Readonly<Record<string, PlainJson>>;
}

/**
 * What of a call counts for its answer, the same in every run of one conversation: the prompt, the
 * tools and the settings, with marks in place of ids and moments, and long data by its checksum.
 * Headers, keys and the signal are left out.
 *
 * Tools are the same in nearly every question and long. A request lists each by its name and a
 * checksum, so that a change of one is seen, and the recording holds it once.
 */
export function toRecordedQuestion(
  how: Manner,
  options: ModelCallOptions,
  ids: StableIds,
): RecordedQuestion {
  const { headers: _headers, abortSignal: _signal, includeRawChunks: _raw, ...counts } = options;
  const { tools: given, ...rest } = counts;
  const plain = (value: unknown): PlainJson =>
    toPlainJson(value, {
      onText: (text) => (isBlob(text) ? nameBlob(text) : ids.hide(text)),
      onBytes: nameBlob,
    });
  const request = plain({ how, ...rest }) as RecordedRequest;
  const named = (given ?? []).map((tool) => {
    const definition = plain(tool);
    return [`${tool.name} ${checksum(JSON.stringify(definition))}`, definition] as const;
  });
  const tools = named.map(([name]) => name);
  return {
    request: tools.length === 0 ? request : { ...request, tools },
    tools: Object.fromEntries(named),
  };
}
