import type { Agent, Reply, Turn } from "./agent.js";

/** One line of a script: a text, silence, a whole reply, or an error to throw. */
export type ScriptLine = string | null | Reply | Error;

/** A function in place of a script. */
export type Script = (turn: Turn) => ScriptLine | Promise<ScriptLine>;

/** An agent that answers by a script and remembers what it was asked. */
export interface ScriptedAgent extends Agent {
  /** The turns that were asked of it, oldest first. */
  readonly turns: readonly Turn[];
}

/**
 * An agent without a model, for tests and examples.
 *
 * @param script - the answers in order, or a function; an agent whose answers have run out throws
 */
export function createScriptedAgent(
  name: string,
  script: readonly ScriptLine[] | Script = [],
): ScriptedAgent {
  const turns: Turn[] = [];
  const lines = typeof script === "function" ? null : [...script];
  const nextLine = (turn: Turn): ScriptLine | Promise<ScriptLine> => {
    if (typeof script === "function") return script(turn);
    const line = lines?.shift();
    if (line === undefined) throw new Error(`scripted agent '${name}' has no answer left`);
    return line;
  };
  return {
    name,
    turns,
    async ask(turn) {
      turns.push(turn);
      const line = await nextLine(turn);
      if (line instanceof Error) throw line;
      return line === null || typeof line === "string" ? { text: line, events: [] } : line;
    },
  };
}
