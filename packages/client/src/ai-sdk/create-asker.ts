import { type ModelMessage, UnsupportedFunctionalityError } from "ai";
import { isClientError, messageOf } from "../errors.js";
import type { ModelAnswer, ModelRequest } from "./ask-once.js";
import { callModel, type ModelCaller } from "./call-model.js";
import { identityOf } from "./model-types.js";
import { unreadNote } from "./to-model-parts.js";

/** Asks the model of a turn about messages. */
export type Asker = (messages: readonly ModelMessage[]) => Promise<ModelAnswer>;

/**
 * Makes what asks the model of one turn.
 *
 * Where the model's provider says that it cannot send a file of the conversation, notes take the
 * places of all files for the rest of the turn: a document that somebody has posted must not make
 * every further turn in the channel fail.
 *
 * @param request - what is the same in all questions of the turn
 */
export function createAsker(caller: ModelCaller, request: Omit<ModelRequest, "messages">): Asker {
  let readsFiles = true;
  const ask = (messages: readonly ModelMessage[]): Promise<ModelAnswer> =>
    callModel(caller, { ...request, messages: readsFiles ? [...messages] : withNotes(messages) });
  return async (messages) => {
    try {
      return await ask(messages);
    } catch (error) {
      if (!readsFiles || !isUnsupported(error) || !hasFiles(messages)) throw error;
      caller.logger.warn(
        { ...caller.fields, ...identityOf(request.model), error: messageOf(error) },
        "the model cannot read a file of the conversation; a note stands in its place",
      );
      readsFiles = false;
      return await ask(messages);
    }
  };
}

function isUnsupported(error: unknown): boolean {
  return isClientError(error) && UnsupportedFunctionalityError.isInstance(error.cause);
}

function hasFiles(messages: readonly ModelMessage[]): boolean {
  return messages.some(
    ({ role, content }) =>
      role === "user" && typeof content !== "string" && content.some(({ type }) => type === "file"),
  );
}

function withNotes(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== "user" || typeof message.content === "string") return message;
    const content = message.content.map((part) => (part.type === "file" ? unreadNote(part) : part));
    return { ...message, content };
  });
}
