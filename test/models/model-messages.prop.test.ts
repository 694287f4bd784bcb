import { createModelAgent } from "@colloquy/client/ai-sdk";
import { createScriptedModel, type ScriptedCall } from "@colloquy/client/testing";
import type { Content, ContentPart, Message } from "@colloquy/protocol";
import { assertStrictRoles } from "@colloquy/testkit";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fakeTurn } from "./fake-turn.js";

type Prompt = ScriptedCall["prompt"];

const word = fc.constantFrom("", " ", "one", "two\nlines", "\u200b", "http://127.0.0.1/x");
const data = fc.constantFrom("", "AA==", "A A\n==", "no base64!", "http://127.0.0.1/x.png");
const part: fc.Arbitrary<ContentPart> = fc.oneof(
  word.map((text): ContentPart => ({ type: "text", text })),
  fc.record({
    type: fc.constant("image" as const),
    base64_data: data,
    media_type: fc.constantFrom("image/png", "image/webp"),
    detail: fc.constantFrom("low", null, undefined),
  }),
  fc.record({
    type: fc.constant("audio" as const),
    base64_data: data,
    format: fc.constantFrom("wav", "mp3"),
  }),
  fc.record({
    type: fc.constant("document" as const),
    base64_data: data,
    media_type: fc.constant("application/pdf"),
    title: fc.constantFrom("report", null),
  }),
);
const content: fc.Arbitrary<Content> = fc.oneof(word, fc.array(part, { maxLength: 3 }));
const id = fc.constantFrom("1", "2", "3");
const call = id.map((callId) => ({ id: callId, name: "tool", arguments: {}, metadata: {} }));
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constantFrom("system", "developer", "user", "assistant"), content }),
  fc.record({
    role: fc.constant("assistant" as const),
    content: fc.option(content),
    tool_calls: fc.array(call, { maxLength: 3 }),
  }),
  fc.record({
    ...{ role: fc.constant("tool" as const), content, tool_call_id: id },
    name: fc.constant("tool"),
  }),
  fc.record({ role: fc.constant("compaction_summary" as const), content, event_count: fc.nat() }),
);

it("asks a model with messages that strict providers accept, whatever a view shows and a peer sends", async () => {
  const property = fc.asyncProperty(
    fc.array(message, { maxLength: 15 }),
    content,
    fc.array(word, { maxLength: 2 }),
    word,
    fc.boolean(),
    async (history, input, told, instructions, stream) => {
      const model = createScriptedModel(["Fine."]);
      const agent = createModelAgent({ name: "ada", model, instructions, stream });
      const turn = fakeTurn({ history, input, instructions: told });
      expect((await agent.ask(turn)).text).toBe("Fine.");
      const prompt = model.calls[0]?.prompt ?? [];
      // The same rules as for histories, on what the provider's package is given in the end.
      assertStrictRoles(toMessages(prompt), { lastRole: "user" });
      expect(JSON.stringify(prompt)).not.toMatch(/"data":"[^"]*[^"\w+/=-]/);
    },
  );
  await fc.assert(property, { numRuns: 300 });
});

/** The prompt as a history again, so that the checker of histories can read it. */
function toMessages(prompt: Prompt): Message[] {
  return prompt.flatMap((entry): Message[] => {
    if (entry.role === "system") return [{ role: "system", content: entry.content }];
    if (entry.role === "user") return [{ role: "user", content: entry.content.map(toPart) }];
    if (entry.role === "assistant") {
      const text = entry.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
      const calls = entry.content.flatMap((part) =>
        part.type === "tool-call"
          ? [{ id: part.toolCallId, name: part.toolName, arguments: {}, metadata: {} }]
          : [],
      );
      const spoken = text.length === 0 ? null : text.join("");
      return [
        calls.length === 0
          ? { role: "assistant", content: spoken }
          : { role: "assistant", content: spoken, tool_calls: calls },
      ];
    }
    return entry.content.flatMap((part): Message[] => {
      if (part.type !== "tool-result" || !("value" in part.output)) return [];
      const result = String(part.output.value);
      return [
        { role: "tool", content: result, tool_call_id: part.toolCallId, name: part.toolName },
      ];
    });
  });
}

function toPart(part: Extract<Prompt[number], { role: "user" }>["content"][number]): ContentPart {
  if (part.type === "text") return { type: "text", text: part.text };
  return { type: "document", base64_data: String(part.data), media_type: part.mediaType };
}
