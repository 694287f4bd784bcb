/** How a check came out. */
export type CheckStatus = "ok" | "warn" | "fail";

/** One line of the doctor's report. */
export interface Check {
  /** What was looked at, in a word or two. */
  readonly name: string;
  readonly status: CheckStatus;
  /** What was found. */
  readonly message: string;
  /** What to do; null when nothing has to be done. */
  readonly remedy: string | null;
}

/** A check that found nothing wrong. */
export function ok(name: string, message: string): Check {
  return { name, status: "ok", message, remedy: null };
}

/** A check that found something to keep an eye on. */
export function warn(name: string, message: string, remedy: string): Check {
  return { name, status: "warn", message, remedy };
}

/** A check that found something wrong. */
export function fail(name: string, message: string, remedy: string): Check {
  return { name, status: "fail", message, remedy };
}
