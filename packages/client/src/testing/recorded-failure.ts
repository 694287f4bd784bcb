import { redactText } from "@colloquy/protocol";
import { APICallError } from "ai";
import { BrokenAnswerError, readFailure } from "../ai-sdk/model-failure.js";
import { messageOf } from "../errors.js";
import type { RecordedFailure } from "./recording.js";

/** Headers of a refusal that say when to ask again; no other is kept. */
const KEPT_HEADERS = /^retry-after(-ms)?$/i;

/** What is kept of a failure: enough to fail the same way, and nothing that is secret. */
export function toRecordedFailure(error: unknown): RecordedFailure {
  const { status, headers, passing } = readFailure(error);
  const kept = Object.entries(headers).filter(([name]) => KEPT_HEADERS.test(name));
  const message = redactText(typeof error === "string" ? error : messageOf(error));
  return {
    message,
    ...(status === null ? {} : { status }),
    ...(kept.length === 0 ? {} : { headers: Object.fromEntries(kept) }),
    ...(status === null && passing ? { broken: true } : {}),
  };
}

/** The failure again, as the AI SDK would report it. */
export function fromRecordedFailure({ message, status, headers, broken }: RecordedFailure): Error {
  if (broken === true) return new BrokenAnswerError(message);
  if (status === undefined) return new Error(message);
  return new APICallError({
    ...{ message, url: "recorded:", requestBodyValues: {} },
    ...{ statusCode: status, responseHeaders: headers ?? {} },
  });
}
