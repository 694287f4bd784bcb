import { type JsonObject, listAt, objectAt, onlyKeys, reject, textAt } from "./message-rule.js";

/** Names of functions, as the API takes them. */
const FUNCTION_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** Names of speakers. */
const SPEAKER_NAME = /^[^\s<|\\/>]{1,64}$/;
const INSTRUCTIONS = ["system", "developer"];
/** Kinds of parts that a user's message may have, and the field that holds each. */
const USER_PARTS: ReadonlyMap<string, string> = new Map([
  ["text", "text"],
  ["image_url", "image_url"],
  ["input_audio", "input_audio"],
  ["file", "file"],
]);

/**
 * Throws unless the `messages` of a request keep the rules of OpenAI's chat completions, and those of
 * the servers of that protocol whose chat templates are strict.
 *
 * - Instructions stand at the front, and nowhere else.
 * - Behind them the user comes first, and user and assistant take turns; the last word is the user's
 *   or a tool's.
 * - A message that calls tools is followed by one result for each call, in any order, and by nothing
 *   else before the last of them; a result answers a call of the message before it.
 * - No call id comes twice; names of functions and speakers have the allowed characters; arguments are
 *   the text of a JSON object.
 * - Nothing is blank, an answer with calls may have no content; parts are of a kind that the role may have.
 * - There is no field that the API does not have.
 *
 * Written from the API's reference, and apart from the code that makes messages, so that it cannot
 * share its mistakes. The error names the message.
 */
export function assertOpenAiMessages(messages: unknown): void {
  const list = listAt(messages, "messages").map((message, at) =>
    objectAt(message, `messages[${at}]`),
  );
  const callIds = new Set<string>();
  let waiting = new Set<string>();
  let last: string | null = null;
  for (const [at, message] of list.entries()) {
    const place = `messages[${at}]`;
    const role = textAt(message["role"], `${place}.role`);
    if (role !== "tool" && waiting.size > 0) {
      reject(place, `stands before the results of ${[...waiting].join(", ")}`);
    }
    if (INSTRUCTIONS.includes(role)) {
      if (last !== null) reject(place, `has the role ${role} behind a ${last} message`);
      checkInstruction(message, place);
      continue;
    }
    if (role === "tool") {
      const id = checkResult(message, place);
      if (!waiting.delete(id)) reject(place, `answers ${id}, which waits for no answer`);
    } else if (role === "user" || role === "assistant") {
      if (last === role) reject(place, `is the second ${role} message in a row`);
      if (last === null && role === "assistant") reject(place, "begins as the assistant");
      waiting =
        role === "user" ? checkUser(message, place) : checkAssistant(message, place, callIds);
    } else reject(place, `has the role ${role}`);
    last = role;
  }
  if (waiting.size > 0) reject("messages", `end before the results of ${[...waiting].join(", ")}`);
  if (last === "assistant") reject("messages", "end with the assistant");
  if (last === null) reject("messages", "are instructions only");
}

function checkInstruction(message: JsonObject, place: string): void {
  onlyKeys(message, ["role", "content", "name"], place);
  checkContent(message["content"], ["text"], place);
}

function checkUser(message: JsonObject, place: string): Set<string> {
  onlyKeys(message, ["role", "content", "name"], place);
  const { name } = message;
  if (name !== undefined && !SPEAKER_NAME.test(String(name))) {
    reject(place, `has the name ${JSON.stringify(name)}`);
  }
  checkContent(message["content"], [...USER_PARTS.keys()], place);
  return new Set();
}

/** Ids of the calls that wait for their results. */
function checkAssistant(message: JsonObject, place: string, known: Set<string>): Set<string> {
  onlyKeys(message, ["role", "content", "name", "refusal", "audio", "tool_calls"], place);
  const { content, tool_calls: calls } = message;
  const isEmpty = content === null || content === undefined || content === "";
  if (!isEmpty || calls === undefined) checkContent(content, ["text", "refusal"], place);
  if (calls === undefined) return new Set();
  return new Set(
    listAt(calls, `${place}.tool_calls`).map((call, at) => {
      const id = checkCall(objectAt(call, place), `${place}.tool_calls[${at}]`);
      if (known.has(id)) reject(place, `uses the call id ${id} again`);
      known.add(id);
      return id;
    }),
  );
}

function checkCall(call: JsonObject, place: string): string {
  if (call["type"] !== "function") reject(place, "is no call of a function");
  const called = objectAt(call["function"], `${place}.function`);
  const name = textAt(called["name"], `${place}.function.name`);
  if (!FUNCTION_NAME.test(name)) reject(place, `calls '${name}', which is no name of a function`);
  try {
    objectAt(JSON.parse(String(called["arguments"])), `${place}.function.arguments`);
  } catch (cause) {
    throw new Error(`${place}.function.arguments are no text of a JSON object`, { cause });
  }
  return textAt(call["id"], `${place}.id`);
}

function checkResult(message: JsonObject, place: string): string {
  onlyKeys(message, ["role", "content", "tool_call_id"], place);
  checkContent(message["content"], ["text"], place);
  return textAt(message["tool_call_id"], `${place}.tool_call_id`);
}

function checkContent(content: unknown, kinds: readonly string[], place: string): void {
  if (!Array.isArray(content)) {
    textAt(content, `${place}.content`);
    return;
  }
  for (const [at, value] of listAt(content, `${place}.content`).entries()) {
    const where = `${place}.content[${at}]`;
    const part = objectAt(value, where);
    const type = textAt(part["type"], `${where}.type`);
    if (!kinds.includes(type)) reject(where, `is of the kind ${type}, which may not stand here`);
    if (type === "text") textAt(part["text"], `${where}.text`);
    else objectAt(part[USER_PARTS.get(type) ?? type], `${where}.${type}`);
  }
}
