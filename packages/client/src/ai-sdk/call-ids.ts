import type { ModelMessage } from "ai";
import type { ModelAnswer } from "./ask-once.js";

/** Keeps the ids of a turn's tool calls apart. */
export interface CallIds {
  /** The answer with ids that no earlier answer of the turn has. */
  rename(answer: ModelAnswer): ModelAnswer;
}

/**
 * Makes {@link CallIds}.
 *
 * Some servers count their calls from 0 in every answer, or give no ids. A result is found by its
 * call's id, so that one id may stand for one call only. An id that was free stays as it is.
 */
export function createCallIds(): CallIds {
  const taken = new Set<string>();
  const freeId = (id: string): string => {
    let free = id === "" ? "call" : id;
    for (let n = 2; taken.has(free); n += 1) free = `${id === "" ? "call" : id}_${n}`;
    taken.add(free);
    return free;
  };
  return {
    rename(answer) {
      const given = answer.calls.map(({ id }) => id);
      const names = given.map(freeId);
      if (names.every((name, at) => name === given[at])) return answer;
      let at = 0;
      const nextName = (): string => names[at++] ?? "";
      return {
        ...answer,
        calls: answer.calls.map((call, index) => ({ ...call, id: names[index] ?? call.id })),
        messages: answer.messages.map((message) => renameIn(message, nextName)),
      };
    },
  };
}

function renameIn(message: ModelMessage, nextName: () => string): ModelMessage {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  return {
    ...message,
    content: message.content.map((part) =>
      part.type === "tool-call" && part.providerExecuted !== true
        ? { ...part, toolCallId: nextName() }
        : part,
    ),
  };
}
