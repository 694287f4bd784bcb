import { describeKind, type Expectation, ProtocolError } from "@colloquy/protocol";

/** Refuses a `params.seconds` that is no number from 0 up. */
export function checkSeconds({ name, params }: Expectation): void {
  const seconds = params["seconds"];
  if (seconds === undefined) return;
  if (typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0) return;
  const given = typeof seconds === "number" ? `${seconds}` : describeKind(seconds);
  throw new ProtocolError(
    `expectation '${name}': params.seconds is ${given}; give a number of seconds from 0 up`,
    { details: { field: "expectations", expectation: name } },
  );
}

/** `params.seconds` in milliseconds. */
export function secondsOf({ params }: Expectation, defaultSeconds: number): number {
  const seconds = params["seconds"];
  return (typeof seconds === "number" ? seconds : defaultSeconds) * 1_000;
}
