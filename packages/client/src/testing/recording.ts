import { parseWith } from "@colloquy/protocol";
import * as z from "zod";
import { plainJsonSchema } from "./plain-json.js";

/** Names the form of a recording; a later form gets another number. */
export const RECORDING_FORMAT = "colloquy-model-recording/1";

const failureSchema = z.strictObject({
  message: z.string(),
  /** HTTP status, where a server refused. */
  status: z.int().optional(),
  /** The server's `retry-after` headers. */
  headers: z.record(z.string(), z.string()).optional(),
  /** The connection or the answer broke off. */
  broken: z.boolean().optional(),
});

const exchangeSchema = z.strictObject({
  /** What was asked: `how` it was to be answered, the prompt, names of tools, and the settings. */
  request: z.record(z.string(), plainJsonSchema),
  /** What came of it: the pieces of a stream, a whole result, or a failure. */
  answer: z.union([
    z.strictObject({ pieces: z.array(z.record(z.string(), plainJsonSchema)) }),
    z.strictObject({ result: z.record(z.string(), plainJsonSchema) }),
    z.strictObject({ failure: failureSchema }),
  ]),
});

const recordingSchema = z.strictObject({
  format: z.literal(RECORDING_FORMAT),
  model: z.strictObject({ provider: z.string(), name: z.string() }),
  /** The tools of all questions, by the names under which these list them. */
  tools: z.record(z.string(), plainJsonSchema),
  exchanges: z.array(exchangeSchema),
});

/** What a model was asked and has answered, as plain JSON, in the order of the questions. */
export type ModelRecording = z.infer<typeof recordingSchema>;
/** One question and its answer. */
export type RecordedExchange = z.infer<typeof exchangeSchema>;
/** See {@link RecordedExchange}. */
export type RecordedAnswer = RecordedExchange["answer"];
/** See {@link RecordedExchange}. */
export type RecordedRequest = RecordedExchange["request"];
/** A failure in place of an answer. */
export type RecordedFailure = z.infer<typeof failureSchema>;

/**
 * Checks that a value is a recording.
 *
 * @throws InvalidInputError that names the field
 */
export function parseRecording(value: unknown): ModelRecording {
  return parseWith(recordingSchema, value, "recording of a model");
}
