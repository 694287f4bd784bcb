import type { ModelCallOptions } from "../ai-sdk/model-types.js";
import { isBlob, nameBlob } from "./blobs.js";
import type { RecordedRequest } from "./recording.js";
import type { StableIds } from "./stable-ids.js";
import { toPlainJson } from "./to-plain-json.js";

/** Whether an answer was asked for piece by piece or whole. */
export type Manner = "stream" | "whole";

/**
 * What of a call counts for its answer, the same in every run of one conversation: the prompt, the
 * tools and the settings, with marks in place of ids and moments, and long data by its checksum.
 * Headers, keys and the signal are left out.
 */
export function toRecordedRequest(
  how: Manner,
  options: ModelCallOptions,
  ids: StableIds,
): RecordedRequest {
  const { headers: _headers, abortSignal: _signal, includeRawChunks: _raw, ...counts } = options;
  const request = toPlainJson(
    { how, ...counts },
    { onText: (text) => (isBlob(text) ? nameBlob(text) : ids.hide(text)), onBytes: nameBlob },
  );
  return request as RecordedRequest;
}
