import type { ModelStreamPart } from "../ai-sdk/model-types.js";
import { fromRecordedFailure, toRecordedFailure } from "./recorded-failure.js";
import { type PlainPart, plainPart } from "./recorded-result.js";
import type { RecordedFailure } from "./recording.js";
import type { StableIds } from "./stable-ids.js";

type Delta = Extract<ModelStreamPart, { readonly delta: string }>;

/**
 * The pieces of a stream as plain JSON. Neighbours that write on one text stand together with their
 * texts in a list, so that a person can read it; a text with an id in it stands as one, since the id
 * may have come in two pieces.
 */
export function toRecordedPieces(pieces: readonly ModelStreamPart[], ids: StableIds): PlainPart[] {
  return joinDeltas(pieces).flatMap((piece): PlainPart[] => {
    if (Array.isArray(piece)) return [joined(piece, ids)];
    if (piece.type === "raw") return [];
    if (piece.type === "error") return [{ type: "error", error: plainFailure(piece.error) }];
    return [plainPart(withoutRun(piece), ids.hideKnown)];
  });
}

/** The pieces again, with the ids of this run. */
export function fromRecordedPieces(
  recorded: readonly PlainPart[],
  ids: StableIds,
): ModelStreamPart[] {
  return recorded.flatMap((part) => {
    if (part["type"] === "error") {
      return [{ type: "error", error: fromRecordedFailure(part["error"] as RecordedFailure) }];
    }
    const { delta } = part;
    const parts = Array.isArray(delta) ? delta.map((text) => ({ ...part, delta: text })) : [part];
    return parts.map((piece) => plainPart(piece, ids.show) as unknown as ModelStreamPart);
  });
}

function plainFailure(error: unknown): PlainPart {
  return plainPart(toRecordedFailure(error), (text) => text);
}

function joinDeltas(pieces: readonly ModelStreamPart[]): (Delta[] | ModelStreamPart)[] {
  const found: (Delta[] | ModelStreamPart)[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (!isDelta(piece)) found.push(piece);
    else if (Array.isArray(last) && writesOn(last, piece)) last.push(piece);
    else found.push([piece]);
  }
  return found;
}

function isDelta(piece: ModelStreamPart): piece is Delta {
  return "delta" in piece;
}

/** A piece with facts of the provider's own stands alone. */
function writesOn(deltas: readonly Delta[], next: Delta): boolean {
  const [first] = deltas;
  const isPlain = first?.providerMetadata === undefined && next.providerMetadata === undefined;
  return isPlain && first?.type === next.type && first.id === next.id;
}

function joined(deltas: readonly Delta[], ids: StableIds): PlainPart {
  const texts = deltas.map(({ delta }) => delta);
  const whole = texts.join("");
  const hidden = ids.hideKnown(whole);
  const [{ delta: _delta, ...rest } = { delta: "" }] = deltas;
  return { ...plainPart(rest, ids.hideKnown), delta: hidden === whole ? texts : [hidden] };
}

/** Without what is new in every run and is no part of the answer. */
function withoutRun(piece: ModelStreamPart): object {
  if (piece.type === "response-metadata") {
    const { timestamp: _timestamp, ...rest } = piece;
    return rest;
  }
  if (piece.type !== "finish") return piece;
  const { raw: _raw, ...usage } = piece.usage;
  return { ...piece, usage };
}
