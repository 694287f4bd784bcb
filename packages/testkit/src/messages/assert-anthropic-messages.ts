import { type JsonObject, listAt, objectAt, onlyKeys, reject, textAt } from "./message-rule.js";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const TOOL_ID = /^[a-zA-Z0-9_-]+$/;
const IMAGES = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const USER_BLOCKS = ["text", "image", "document", "tool_result"];
const ASSISTANT_BLOCKS = ["text", "thinking", "redacted_thinking", "tool_use"];

/** What of a request is checked. */
export interface AnthropicRequest {
  /** Instructions: a text or blocks of text; absent for none. */
  readonly system?: unknown;
  readonly messages: unknown;
}

/**
 * Throws unless a request keeps the rules of Anthropic's messages.
 *
 * - Instructions stand in `system`, as text; messages are the user's and the assistant's, in turns,
 *   and the user comes first and last.
 * - No text is blank.
 * - Each `tool_use` has its `tool_result` in the next message, the results stand before everything
 *   else there, and a result answers a call of the message before it. No call id comes twice.
 * - Blocks are of a kind that the role may have; pictures and documents are base64 of a known type, or
 *   have an address.
 *
 * Written from the API's reference, and apart from the code that makes messages. The error names the
 * message.
 */
export function assertAnthropicMessages({ system, messages }: AnthropicRequest): void {
  if (system !== undefined) checkSystem(system);
  const list = listAt(messages, "messages").map((message, at) =>
    objectAt(message, `messages[${at}]`),
  );
  const callIds = new Set<string>();
  let calls: readonly string[] = [];
  for (const [at, message] of list.entries()) {
    const place = `messages[${at}]`;
    onlyKeys(message, ["role", "content"], place);
    const expected = at % 2 === 0 ? "user" : "assistant";
    if (message["role"] !== expected)
      reject(place, `has the role ${String(message["role"])}, not ${expected}`);
    const blocks = toBlocks(message["content"], place);
    if (expected === "user") {
      checkResults(blocks, calls, place);
      calls = [];
    } else calls = checkAnswer(blocks, callIds, place);
    for (const [index, block] of blocks.entries()) {
      checkBlock(block, expected, `${place}.content[${index}]`);
    }
  }
  if (list.length % 2 === 0) reject("messages", "end with the assistant");
}

function checkSystem(system: unknown): void {
  if (typeof system === "string") {
    textAt(system, "system");
    return;
  }
  for (const [at, block] of listAt(system, "system").entries()) {
    textAt(objectAt(block, `system[${at}]`)["text"], `system[${at}].text`);
  }
}

function toBlocks(content: unknown, place: string): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listAt(content, `${place}.content`).map((block) => objectAt(block, `${place}.content`));
}

/** A message behind calls begins with their results, one each, and no other message has any. */
function checkResults(
  blocks: readonly JsonObject[],
  calls: readonly string[],
  place: string,
): void {
  const firstOther = blocks.findIndex(({ type }) => type !== "tool_result");
  const results = blocks.filter(({ type }) => type === "tool_result");
  if (firstOther >= 0 && firstOther < results.length) {
    reject(place, "has something before the last tool_result");
  }
  const answered = results.map((block) => String(block["tool_use_id"])).sort();
  if (answered.join(" ") !== [...calls].sort().join(" ")) {
    reject(place, `answers [${answered.join(", ")}] where [${calls.join(", ")}] wait`);
  }
}

/** Ids of the calls in an answer. */
function checkAnswer(blocks: readonly JsonObject[], known: Set<string>, place: string): string[] {
  const calls = blocks.filter(({ type }) => type === "tool_use");
  return calls.map((block) => {
    const id = textAt(block["id"], `${place}.tool_use.id`);
    if (!TOOL_ID.test(id)) reject(place, `uses the call id '${id}'`);
    if (known.has(id)) reject(place, `uses the call id ${id} again`);
    known.add(id);
    return id;
  });
}

function checkBlock(block: JsonObject, role: "user" | "assistant", place: string): void {
  const type = textAt(block["type"], `${place}.type`);
  const allowed = role === "user" ? USER_BLOCKS : ASSISTANT_BLOCKS;
  if (!allowed.includes(type)) reject(place, `is a ${type} in a message of the ${role}`);
  if (type === "text") textAt(block["text"], `${place}.text`);
  if (type === "image" || type === "document") checkSource(block, type, place);
  if (type === "tool_use") {
    const name = textAt(block["name"], `${place}.name`);
    if (!TOOL_NAME.test(name)) reject(place, `calls '${name}', which is no name of a tool`);
    objectAt(block["input"], `${place}.input`);
  }
  if (type === "tool_result" && typeof block["content"] !== "string") {
    for (const part of listAt(block["content"], `${place}.content`)) {
      const inner = objectAt(part, place);
      if (inner["type"] === "text") textAt(inner["text"], `${place}.content.text`);
    }
  }
}

function checkSource(block: JsonObject, type: "image" | "document", place: string): void {
  const source = objectAt(block["source"], `${place}.source`);
  if (source["type"] === "url") {
    if (!/^https?:/.test(String(source["url"]))) reject(place, "has an address that is no URL");
    return;
  }
  if (source["type"] === "text") {
    textAt(source["data"], `${place}.source.data`);
    return;
  }
  const media = String(source["media_type"]);
  const known = type === "image" ? IMAGES.includes(media) : media === "application/pdf";
  if (!known) reject(place, `is a ${type} of the type ${media}`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(String(source["data"])))
    reject(place, "has data that is no base64");
}
