import { describe, expect, it } from "vitest";
import { InvalidInputError } from "../errors/network-error.js";
import { AGENT_NAME_RULE, checkAgentName } from "./agent-name.js";

describe("checkAgentName", () => {
  it.each([
    "a",
    "Alice B",
    "李雷",
    "Zoë",
    "👩‍🚀",
    "x".repeat(64),
    "👋".repeat(64),
    "systems",
    "a/b@c",
    "Анна QA",
    "研究 bot",
    "β-2",
  ])("accepts %j and leaves it as it is", (name) => {
    expect(checkAgentName(name)).toBe(name);
  });

  it.each([
    "",
    " ",
    " a",
    "a ",
    "\u3000a",
    "x".repeat(65),
    "a\nb",
    "a\rb",
    "a\u2028b",
    "a\u0000",
    "a\u007f",
    "a\u0085b",
    "\ud800",
    "[a",
    "a]",
    "a:b",
    "\u200b",
    "system",
    "User",
    "ＴＯＯＬ",
    "hu\u200bb",
    "Operator",
    "s\u0443stem",
    "\u039fperator",
    "\u202eecila",
    "bob\u2067",
    "Assistant",
    "developer",
    "Zoe\u0308",
    "\u0410lice",
    "paypa\u04cf",
    "\u13aalice",
  ])("refuses %j and states the rule", (name) => {
    expect(() => checkAgentName(name)).toThrow(InvalidInputError);
    expect(() => checkAgentName(name)).toThrow(AGENT_NAME_RULE);
  });

  it("refuses what is no text", () => {
    expect(() => checkAgentName(7 as unknown as string)).toThrow("not a text");
  });
});
