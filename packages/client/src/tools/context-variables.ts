import { EV_CONTEXT_SET } from "@colloquy/protocol";
import type { Turn } from "../agent/agent.js";

/** Context variables in the hands of one turn. */
export interface ContextVariables {
  /** Those at the beginning of the turn, and what it has set since; empty where there are none. */
  readonly current: Readonly<Record<string, unknown>>;
  set(values: Readonly<Record<string, unknown>>): Promise<void>;
  delete(names: readonly string[]): Promise<void>;
}

/**
 * Makes the {@link ContextVariables} of a turn.
 *
 * A turn that is run again finds what it has set before among the variables that it begins with, and
 * does not post it anew.
 */
export function createContextVariables(turn: Turn): ContextVariables {
  let known = variablesIn(turn.context.state);
  const post = async (updates: { set?: object; delete?: readonly string[] }): Promise<void> => {
    turn.signal.throwIfAborted();
    const { channel_id } = turn.channel;
    await turn.context.client.send({
      ...{ channel_id, event_type: EV_CONTEXT_SET, event_data: { ...updates } },
    });
  };
  const require = (): Readonly<Record<string, unknown>> => {
    if (known !== null) return known;
    const { type } = turn.channel.manifest;
    throw new TypeError(
      `a channel of type ${type} keeps no context variables; open one of type workflow`,
    );
  };
  return {
    get current() {
      return known ?? {};
    },
    async set(values) {
      const before = require();
      const isNew = ([name, value]: [string, unknown]): boolean =>
        turn.attempt === 1 || !Object.hasOwn(before, name) || !sameJson(before[name], value);
      const news = Object.fromEntries(Object.entries(values).filter(isNew));
      if (Object.keys(news).length > 0) await post({ set: news });
      known = { ...known, ...values };
    },
    async delete(names) {
      const before = require();
      const there = names.filter((name) => turn.attempt === 1 || Object.hasOwn(before, name));
      if (there.length > 0) await post({ delete: there });
      const left = Object.entries(known ?? {}).filter(([name]) => !names.includes(name));
      known = Object.fromEntries(left);
    },
  };
}

/** The variables in a folded state; null for a channel type that keeps none. */
export function variablesIn(state: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof state !== "object" || state === null) return null;
  const found = (state as { readonly context_vars?: unknown }).context_vars;
  return typeof found === "object" && found !== null
    ? (found as Readonly<Record<string, unknown>>)
    : null;
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
