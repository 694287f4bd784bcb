import type { ModelResult } from "../ai-sdk/model-types.js";
import type { PlainJson } from "./plain-json.js";
import type { StableIds } from "./stable-ids.js";
import { type LeafMaps, toPlainJson } from "./to-plain-json.js";

/** A part of an answer as plain JSON. */
export type PlainPart = Record<string, PlainJson>;

/** A whole answer as plain JSON, without headers, bodies, and what is of this run alone. */
export function toRecordedResult(result: ModelResult, ids: StableIds): PlainPart {
  const { request: _request, response, usage, ...rest } = result;
  const { raw: _raw, ...tokens } = usage;
  const { id, modelId } = response ?? {};
  return plainPart({ ...rest, usage: tokens, response: { id, modelId } }, ids.hideKnown);
}

/** The answer again, with the ids of this run. */
export function fromRecordedResult(recorded: PlainPart, ids: StableIds): ModelResult {
  return plainPart(recorded, ids.show) as unknown as ModelResult;
}

/** An object of an answer as plain JSON, with its texts changed; bytes become base64. */
export function plainPart(value: object, onText: (text: string) => string): PlainPart {
  const maps: LeafMaps = { onText, onBytes: toBase64 };
  return toPlainJson(value, maps) as PlainPart;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
