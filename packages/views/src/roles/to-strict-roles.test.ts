import type { ContentPart, Message } from "@colloquy/protocol";
import { assertStrictRoles } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { toStrictRoles } from "./to-strict-roles.js";

const user = (content: Message["content"]): Message => ({ role: "user", content });
const assistant = (content: Message["content"]): Message => ({ role: "assistant", content });
const asks = (content: string | null, ...ids: string[]): Message => ({
  role: "assistant",
  content,
  tool_calls: ids.map((id) => ({ id, name: `tool_${id}`, arguments: {}, metadata: {} })),
});
const result = (id: string, content: string): Message => ({
  role: "tool",
  content,
  tool_call_id: id,
  name: `tool_${id}`,
});
const image: ContentPart = { type: "image", base64_data: "AA==", media_type: "image/png" };

describe("toStrictRoles", () => {
  it("R1: a summary becomes a user message under the fixed heading", () => {
    const summary: Message = {
      role: "compaction_summary",
      content: "Earlier in this channel: 5 messages from A.",
      event_count: 5,
    };
    expect(toStrictRoles([summary, assistant("hi")])).toEqual([
      user("[Summary of earlier conversation]\nEarlier in this channel: 5 messages from A."),
      assistant("hi"),
    ]);
    expect(toStrictRoles([{ ...summary, content: [{ type: "text", text: "S" }] }])).toEqual([
      user([
        { type: "text", text: "[Summary of earlier conversation]" },
        { type: "text", text: "S" },
      ]),
    ]);
  });

  it("F-038 R2: leaves blank messages and parts out", () => {
    const blank: ContentPart = { type: "text", text: " " };
    const messages = [user(""), user("a"), assistant(" \n"), user([blank, image]), asks("  ", "1")];
    expect(toStrictRoles([...messages, result("1", "")])).toEqual([
      user([{ type: "text", text: "a" }, image]),
      asks(null, "1"),
      result("1", "(no output)"),
    ]);
  });

  it("R2: turns media that no provider takes from an assistant into a note", () => {
    const audio: ContentPart = { type: "audio", base64_data: "AA==", format: "wav" };
    const spoken = assistant([{ type: "text", text: "see" }, image, audio]);
    expect(toStrictRoles([user("draw"), spoken])[1]).toEqual(
      assistant([
        { type: "text", text: "see" },
        { type: "text", text: "(image: image/png)" },
        { type: "text", text: "(audio: wav)" },
      ]),
    );
  });

  it("F-037 R3: merges neighbours, text by text and part by part", () => {
    expect(toStrictRoles([user("a"), user("b"), assistant("c"), assistant("d")])).toEqual([
      user("a\n\nb"),
      assistant("c\n\nd"),
    ]);
    expect(toStrictRoles([user("a"), user([image]), user("b")])).toEqual([
      user([{ type: "text", text: "a" }, image, { type: "text", text: "b" }]),
    ]);
    expect(toStrictRoles([user("a"), assistant("b"), asks(null, "1"), result("1", "r")])).toEqual([
      user("a"),
      asks("b", "1"),
      result("1", "r"),
    ]);
  });

  it("R4: closes a call without a result, wherever it stands", () => {
    const messages = toStrictRoles([
      user("go"),
      asks("on it", "1", "2"),
      result("2", "two"),
      user("?"),
    ]);
    expect(messages).toEqual([
      user("go"),
      asks("on it", "1", "2"),
      result("1", "(aborted: this call has no result)"),
      result("2", "two"),
      user("?"),
    ]);
    const atTheEnd = toStrictRoles([user("go"), asks(null, "1")]);
    expect(atTheEnd.at(-1)).toEqual(result("1", "(aborted: this call has no result)"));
    assertStrictRoles(atTheEnd, { lastRole: "user" });
  });

  it("R4: keeps each call id and result once, in place", () => {
    const messages = toStrictRoles([
      result("0", "no call"),
      user("go"),
      asks(null, "1"),
      user("approved"),
      result("1", "first"),
      asks("again", "1", "2"),
      result("2", "two"),
      result("1", "second"),
      asks(null, "2"),
      assistant("done"),
    ]);
    expect(messages).toEqual([
      user("go"),
      asks(null, "1"),
      result("1", "first"),
      user("approved"),
      asks("again", "2"),
      result("2", "two"),
      assistant("done"),
    ]);
  });

  it("R4: takes no result that stands before its call", () => {
    const messages = toStrictRoles([user("go"), result("1", "early"), asks(null, "1")]);
    expect(messages.at(-1)?.content).toBe("(aborted: this call has no result)");
  });

  it("R5: puts instructions to the front and the user next", () => {
    const messages: Message[] = [
      assistant("hello"),
      { role: "system", content: "be brief" },
      user("hi"),
      { role: "developer", content: "be kind" },
    ];
    const strict = [
      { role: "system", content: "be brief\n\nbe kind" },
      user("(The conversation begins.)"),
      assistant("hello"),
      user("hi"),
    ];
    for (const provider of ["any", "anthropic", "google"] as const) {
      expect(toStrictRoles(messages, { provider })).toEqual(strict);
    }
    expect(toStrictRoles(messages)).toEqual(strict);
    expect(toStrictRoles(messages, { provider: "openai" })).toEqual(messages);
  });

  it("R6: gives the user the last word when asked, and takes results for it", () => {
    expect(toStrictRoles([], { endWithUser: true })).toEqual([user("(It is your turn.)")]);
    expect(toStrictRoles([])).toEqual([]);
    const ended = [user("a"), asks(null, "1"), result("1", "r")];
    expect(toStrictRoles(ended, { endWithUser: true })).toEqual(ended);
    expect(toStrictRoles([user("a"), assistant("b")]).at(-1)?.role).toBe("assistant");
  });
});
