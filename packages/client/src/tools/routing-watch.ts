import { type Handoff, handoff, isFinish, isHandoff } from "@colloquy/protocol";
import type { Turn } from "../agent/agent.js";
import { findParticipant } from "../channel/find-participant.js";

/** What a result decides about who speaks next. */
export type RoutingVerdict =
  | { readonly kind: "plain" }
  | { readonly kind: "taken"; readonly result: unknown }
  | { readonly kind: "refused"; readonly why: string };

/** Watches that a round decides once who speaks next. */
export interface RoutingWatch {
  /** Something has decided. */
  readonly isDecided: boolean;
  /** Why a call may not run, because it would decide a second time; null when it may. */
  refuse(tool: string): string | null;
  /** Reads a result. A handoff that is taken names its target by id. */
  read(result: unknown): RoutingVerdict;
  /** A call has ended well; by a `tool_called` rule its name alone may decide. */
  noteSuccess(tool: string): void;
}

const NOT_TAKEN =
  "not taken: an earlier call of this turn has decided who speaks next; only the first one counts";

/**
 * Makes the {@link RoutingWatch} of a turn.
 *
 * The first call that routes wins. Where the channel type has no routing, a handoff or finish is
 * refused, so that the model answers in words.
 */
export function watchRouting(turn: Pick<Turn, "channel" | "context">): RoutingWatch {
  let isDecided = false;
  const { type } = turn.channel.manifest;
  const routingTools = (): ReadonlySet<string> => turn.context.routingTools ?? new Set();
  return {
    get isDecided() {
      return isDecided;
    },
    refuse: (tool) => (isDecided && routingTools().has(tool) ? NOT_TAKEN : null),
    read(result) {
      if (!isHandoff(result) && !isFinish(result)) return { kind: "plain" };
      if (turn.context.routingTools === null) {
        const why = `not taken: a channel of type ${type} has no handoffs and no finish; answer in words`;
        return { kind: "refused", why };
      }
      if (isDecided) return { kind: "refused", why: NOT_TAKEN };
      const resolved = isHandoff(result) ? resolveTarget(result, turn.context.names) : result;
      if (typeof resolved === "string") return { kind: "refused", why: resolved };
      isDecided = true;
      return { kind: "taken", result: resolved };
    },
    noteSuccess(tool) {
      isDecided ||= routingTools().has(tool);
    },
  };
}

/** The handoff with its target's id, or the sentence that nobody is meant by it. */
function resolveTarget(
  { target, reason }: Handoff,
  names: Readonly<Record<string, string>>,
): Handoff | string {
  const id = findParticipant(target, names);
  if (id !== null) return handoff(id, reason);
  const known = Object.values(names).sort().join(", ");
  return `handoff to '${target}': nobody by that name takes part; choose from ${known}`;
}
