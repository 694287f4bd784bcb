import type { Caller } from "./operation.js";

/** Bytes that the envelopes of one answer may have: what may wait to leave on the connection. */
export function answerBytes({ work, session }: Caller): number {
  const { maxBareAnswerBytes, maxBufferedBytes } = work.context.limits;
  return session.peer.profile === "ag2" ? maxBareAnswerBytes : maxBufferedBytes;
}
