import { type Message, showsSomething } from "@colloquy/protocol";
import { toStrictRoles } from "@colloquy/views";
import type { Turn } from "../agent/agent.js";

/**
 * What a model reads of a turn: the instructions (those of the turn, then the agent's own), what was
 * said before, and what is to be answered, in an order of roles that every provider accepts. The
 * user's side has the last word.
 *
 * @param instructions - the agent's own; blank for none
 */
export function turnMessages(
  turn: Pick<Turn, "instructions" | "history" | "input">,
  instructions: string,
): Message[] {
  const told = [...turn.instructions, instructions].filter(showsSomething).join("\n\n");
  const messages: Message[] = [
    { role: "system", content: told },
    ...turn.history,
    { role: "user", content: turn.input },
  ];
  return toStrictRoles(messages, { endWithUser: true });
}
