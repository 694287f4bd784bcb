import type { Accepted, Envelope } from "@colloquy/protocol";
import * as z from "zod";

/** Automatic answers in a row after which a channel without a turn cap closes. */
export const DEFAULT_LOOP_GUARD = 1000;

/** Turns that a channel may take; null is no cap. Close reason `max_turns`. */
export const maxTurnsSchema = z.int().min(1).nullable();

/** Automatic answers in a row that a channel may take; 0 is no guard. Close reason `loop_guard`. */
export const loopGuardSchema = z.int().min(0);

/** How far a channel has come, as every state with turns carries it. */
export interface TurnCounts {
  readonly turn_count: number;
  /** Turns in a row that answered an envelope; 0 after a turn that answered none. */
  readonly automatic_turns: number;
}

/** The limits that hold in a channel. */
export interface TurnLimits {
  readonly maxTurns: number | null;
  /** 0 is no guard. */
  readonly loopGuard: number;
}

/** `automatic_turns` after an envelope: answers count up, whatever was said unasked starts again. */
export function countAutomaticTurns(counts: TurnCounts, envelope: Envelope): number {
  return envelope.causation_id === null ? 0 : counts.automatic_turns + 1;
}

/**
 * The loop guard of a channel: the knob `loop_guard` where it is given. Otherwise the default holds
 * where no turn cap does, so that a cap above the default is not cut short by it.
 */
export function limitsOf(
  maxTurns: unknown,
  knobs: Readonly<Record<string, unknown>>,
  defaultLoopGuard: number,
): TurnLimits {
  const cap = typeof maxTurns === "number" ? maxTurns : null;
  const guard = knobs["loop_guard"];
  const loopGuard = typeof guard === "number" ? guard : cap === null ? defaultLoopGuard : 0;
  return { maxTurns: cap, loopGuard };
}

/** Closes a channel that has reached one of its limits, with the limit's name as the reason. */
export function closeAtLimit(counts: TurnCounts, limits: TurnLimits): Accepted {
  if (limits.maxTurns !== null && counts.turn_count >= limits.maxTurns) {
    return { close: "max_turns" };
  }
  if (limits.loopGuard > 0 && counts.automatic_turns >= limits.loopGuard) {
    return { close: "loop_guard" };
  }
  return {};
}
