import { createScriptedAgent, type ScriptedAgent } from "@colloquy/client";

/** An agent that answers a number with the next one, for ever. */
export function createCounter(name: string): ScriptedAgent {
  return createScriptedAgent(name, ({ input }) => {
    const last = String(input).split(" ").at(-1);
    return String(Number(last) + 1);
  });
}

/** The texts from 1 to a number. */
export const numbersTo = (last: number): string[] =>
  Array.from({ length: last }, (_, at) => String(at + 1));
