import type { Message } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { assertStrictRoles } from "./strict-roles.js";

const user: Message = { role: "user", content: "u" };
const assistant: Message = { role: "assistant", content: "a" };
const system: Message = { role: "system", content: "s" };
const asks = (...ids: string[]): Message => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, name: "t", arguments: {}, metadata: {} })),
});
const result = (id: string): Message => ({ role: "tool", content: "r", tool_call_id: id });

describe("assertStrictRoles", () => {
  it.each<Message[][]>([
    [[]],
    [[user]],
    [[system, user, assistant, user]],
    [[user, asks("1", "2"), result("1"), result("2"), assistant]],
    [[user, asks("1"), result("1"), user]],
  ])("F-037 accepts %j", (messages) => {
    expect(() => assertStrictRoles(messages)).not.toThrow();
  });

  it.each<[string, Message[]]>([
    ["follows another user", [user, user]],
    ["follows another assistant", [user, assistant, assistant]],
    ["begins as the assistant", [assistant, user]],
    ["begins as the assistant", [system, assistant]],
    ["message 2 has the role system", [user, system]],
    ["has the role developer", [{ ...system, role: "developer" }]],
    ["has the role compaction_summary", [{ ...system, role: "compaction_summary" }]],
    ["blank", [{ ...user, content: " " }]],
    ["blank", [{ ...user, content: null }]],
    ["blank", [{ ...user, content: [{ type: "text", text: "" }] }]],
    ["wrong shape", [{ ...user, content: 7 as never }]],
    ["asks for [1] and is answered by []", [user, asks("1"), user]],
    ["asks for [1,2] and is answered by [2,1]", [user, asks("1", "2"), result("2"), result("1")]],
    ["result without a call", [user, result("1")]],
    ["result without a call", [user, assistant, result("1")]],
    ["calls tools", [{ ...asks("1"), role: "user" }]],
    ["comes twice", [user, asks("1"), result("1"), asks("1"), result("1")]],
  ])("F-037 refuses what %s", (fault, messages) => {
    expect(() => assertStrictRoles(messages)).toThrow(fault);
  });

  it("asks for the user at the end only when told to", () => {
    expect(() => assertStrictRoles([user, assistant])).not.toThrow();
    expect(() => assertStrictRoles([user, assistant], { lastRole: "user" })).toThrow(
      "last message",
    );
    expect(() => assertStrictRoles([], { lastRole: "user" })).toThrow("last message");
    const ended = [user, asks("1"), result("1")];
    expect(() => assertStrictRoles(ended, { lastRole: "user" })).not.toThrow();
  });

  it("lets instructions and openings be when told to", () => {
    const free: Message[] = [assistant, system, user, { ...system, role: "developer" }];
    expect(() => assertStrictRoles(free, { lenientOpening: true })).not.toThrow();
  });
});
