import type { ContentPart, Message } from "@colloquy/protocol";
import { assertStrictRoles, deepFreeze } from "@colloquy/testkit";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { StrictProvider } from "./role-rules.js";
import { toStrictRoles } from "./to-strict-roles.js";

const word = fc.constantFrom("", " ", "one", "two\nlines", "\u200b");
const part: fc.Arbitrary<ContentPart> = fc.oneof(
  word.map((text): ContentPart => ({ type: "text", text })),
  fc.constantFrom<ContentPart>(
    { type: "image", base64_data: "AA==", media_type: "image/png" },
    { type: "document", base64_data: "", media_type: "application/pdf" },
  ),
);
const content = fc.oneof(word, fc.array(part, { maxLength: 3 }));
const id = fc.constantFrom("1", "2", "3", "4");
const call = id.map((callId) => ({ id: callId, name: "tool", arguments: {}, metadata: {} }));
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    role: fc.constantFrom("system", "developer", "user", "assistant"),
    content,
  }),
  fc.record({
    role: fc.constant("assistant" as const),
    content: fc.option(content),
    tool_calls: fc.array(call, { maxLength: 3 }),
  }),
  fc.record({ role: fc.constant("tool" as const), content, tool_call_id: id }),
  fc.record({
    role: fc.constant("compaction_summary" as const),
    content,
    event_count: fc.nat(),
  }),
);
const history = fc.array(message, { maxLength: 25 });
const provider = fc.constantFrom<StrictProvider>("any", "openai", "anthropic", "google");

it("F-037 F-038 makes any history pass a strict role checker, twice the same", () => {
  fc.assert(
    fc.property(history, provider, fc.boolean(), (messages, wanted, endWithUser) => {
      const options = { provider: wanted, endWithUser };
      const strict = toStrictRoles(deepFreeze(messages), options);
      assertStrictRoles(strict, {
        lenientOpening: wanted === "openai",
        ...(endWithUser ? { lastRole: "user" } : {}),
      });
      expect(toStrictRoles(strict, options)).toStrictEqual(strict);
    }),
    { numRuns: 1000 },
  );
});

it("F-037 loses no spoken word and changes no order", () => {
  const line = fc.record({ role: fc.constantFrom("user", "assistant"), times: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const messages = lines.map(({ role }, at): Message => ({ role, content: `w${at}.` }));
      const spoken = JSON.stringify(toStrictRoles(messages)).match(/w\d+\./g) ?? [];
      expect(spoken).toEqual(messages.map((m) => m.content));
    }),
  );
});
