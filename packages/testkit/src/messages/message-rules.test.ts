import { describe, expect, it } from "vitest";
import { assertAnthropicMessages } from "./assert-anthropic-messages.js";
import { assertOpenAiMessages } from "./assert-openai-messages.js";

const user = (content: unknown = "Hello") => ({ role: "user", content });
const said = (content: unknown = "Hi") => ({ role: "assistant", content });
const call = (id: string, name = "look", args = "{}") => ({
  ...{ id, type: "function" },
  function: { name, arguments: args },
});
const calls = (...tool_calls: unknown[]) => ({ role: "assistant", content: null, tool_calls });
const result = (id: string, content: unknown = "seen") => ({
  ...{ role: "tool", tool_call_id: id, content },
});

describe("assertOpenAiMessages", () => {
  it.each([
    ["a question", [user()]],
    ["instructions first", [{ role: "system", content: "Be brief." }, user(), said(), user()]],
    [
      "parts",
      [
        user([
          { type: "text", text: "x" },
          { type: "image_url", image_url: { url: "u" } },
        ]),
      ],
    ],
    ["calls and results", [user(), calls(call("1"), call("2")), result("2"), result("1")]],
    ["calls, results and a word", [user(), calls(call("1")), result("1"), said(), user()]],
  ])("takes %s", (_what, messages) => {
    expect(() => assertOpenAiMessages(messages)).not.toThrow();
  });

  it.each<[string, unknown, RegExp]>([
    ["nothing", [], /empty/],
    ["instructions alone", [{ role: "system", content: "x" }], /instructions only/],
    ["late instructions", [user(), { role: "system", content: "x" }], /messages\[1\] has the role/],
    ["two in a row", [user(), user()], /second user/],
    ["an opening answer", [said(), user()], /begins as the assistant/],
    ["the assistant's last word", [user(), said()], /end with the assistant/],
    ["a blank", [user(" ")], /content is blank/],
    ["a blank part", [user([{ type: "text", text: "" }])], /content\[0\].text is blank/],
    ["an empty list of parts", [user([])], /content is empty/],
    ["an answer of nothing", [user(), said(null), user()], /not a text/],
    [
      "a picture by the assistant",
      [user(), said([{ type: "image_url" }]), user()],
      /may not stand/,
    ],
    ["a result of nothing", [user(), said(), result("1")], /waits for no answer/],
    ["a call without a result", [user(), calls(call("1")), user()], /before the results of 1/],
    ["calls at the end", [user(), calls(call("1"))], /end before the results/],
    ["one result of two", [user(), calls(call("1"), call("2")), result("1"), user()], /of 2/],
    ["an id twice", [user(), calls(call("1"), call("1")), result("1")], /call id 1 again/],
    [
      "an id again",
      [user(), calls(call("1")), result("1"), said(), user(), calls(call("1")), result("1")],
      /call id 1 again/,
    ],
    ["an odd name", [user(), calls(call("1", "look up")), result("1")], /no name of a function/],
    ["broken arguments", [user(), calls(call("1", "look", "{")), result("1")], /no text of a JSON/],
    ["a strange field", [{ ...user(), mood: "good" }], /field 'mood'/],
    ["a strange role", [{ role: "critic", content: "x" }], /role critic/],
    ["an odd speaker", [{ ...user(), name: "a b" }], /has the name/],
  ])("refuses %s", (_what, messages, fault) => {
    expect(() => assertOpenAiMessages(messages)).toThrow(fault);
  });
});

const use = (id: string, name = "look") => ({ type: "tool_use", id, name, input: {} });
const answer = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "seen" });
const text = (words: string) => ({ type: "text", text: words });
const image = (media_type: string, data = "AAAA") => ({
  ...{ type: "image", source: { type: "base64", media_type, data } },
});

describe("assertAnthropicMessages", () => {
  it.each([
    ["a question", { messages: [user()] }],
    ["instructions", { system: [text("Be brief.")], messages: [user(), said(), user()] }],
    ["a picture", { messages: [user([text("what?"), image("image/png")])] }],
    [
      "calls and results",
      {
        messages: [
          user(),
          said([text("wait"), use("1"), use("2")]),
          user([answer("2"), answer("1"), text("go on")]),
        ],
      },
    ],
  ])("takes %s", (_what, request) => {
    expect(() => assertAnthropicMessages(request)).not.toThrow();
  });

  it.each<[string, unknown, RegExp]>([
    ["instructions among them", [{ role: "system", content: "x" }], /role system/],
    ["two in a row", [user(), user()], /role user, not assistant/],
    ["the assistant's last word", [user(), said()], /end with the assistant/],
    ["a blank", [user([text("\n")])], /is blank/],
    [
      "a result late",
      [user(), said([use("1")]), user([text("so"), answer("1")])],
      /before the last/,
    ],
    ["a missing result", [user(), said([use("1")]), user()], /answers \[\] where \[1\]/],
    ["a result of nothing", [user([answer("1")])], /answers \[1\] where \[\]/],
    [
      "an id twice",
      [user(), said([use("1"), use("1")]), user([answer("1"), answer("1")])],
      /again/,
    ],
    ["an odd id", [user(), said([use("a b")]), user([answer("a b")])], /call id 'a b'/],
    [
      "an odd name",
      [user(), said([use("1", "look up")]), user([answer("1")])],
      /no name of a tool/,
    ],
    ["sound", [user([{ type: "audio" }])], /is a audio/],
    ["a drawing", [user([image("image/svg+xml")])], /of the type image\/svg/],
    ["data that is none", [user([image("image/png", "http://x")])], /no base64/],
    [
      "a picture by the assistant",
      [user(), said([image("image/png")]), user()],
      /of the assistant/,
    ],
    ["a strange field", [{ ...user(), name: "hugo" }], /field 'name'/],
  ])("refuses %s", (_what, messages, fault) => {
    expect(() => assertAnthropicMessages({ messages })).toThrow(fault);
  });

  it("refuses blank instructions", () => {
    expect(() => assertAnthropicMessages({ system: " ", messages: [user()] })).toThrow(/system/);
  });
});
