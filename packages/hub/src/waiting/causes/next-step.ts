import { type ChannelMetadata, parseTimestamp } from "@colloquy/protocol";
import type { NextExpectation } from "../../expectations/next-expectation.js";
import type { WaitingFacts } from "../facts.js";
import type { NextStep } from "../sentence.js";

/** The earliest of several steps. */
export function earliest(...steps: readonly (NextStep | null)[]): NextStep | null {
  let first: NextStep | null = null;
  for (const step of steps) {
    if (step !== null && (first === null || step.at < first.at)) first = step;
  }
  return first;
}

/** What happens next in an open channel, whoever is awaited. */
export function nextForAll({ expectation, metadata }: WaitingFacts): NextStep | null {
  return earliest(
    expectation === null ? null : violationOf(expectation),
    metadata === null ? null : expiryOf(metadata),
  );
}

/** When a channel's time to live is over. */
function expiryOf({ expires_at }: ChannelMetadata): NextStep | null {
  const at = expires_at === null ? null : parseTimestamp(expires_at);
  return at === null ? null : { what: "the channel expires", at };
}

function violationOf({ expectation, due_at }: NextExpectation): NextStep | null {
  const { name, on_violation } = expectation;
  const at = parseTimestamp(due_at);
  return at === null ? null : { what: `'${name}' is violated, and '${on_violation}' follows,`, at };
}
