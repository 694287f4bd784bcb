import { type EnvelopeDraft, EV_TEXT, NotFoundError, type TurnPort } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { createSayTool, SAY_TOOL } from "./say-tool.js";
import { textEnvelope } from "./text/text-envelope.js";

const context = { signal: new AbortController().signal, callId: "call-1" };
const names: Readonly<Record<string, string>> = { bob: "id-b", carol: "id-c" };

function setUp(changes: Partial<TurnPort> = {}) {
  const posted: EnvelopeDraft[] = [];
  const tool = createSayTool(
    {
      channelId: "channel-1",
      agentId: "id-a",
      post(draft) {
        posted.push(draft);
        return Promise.resolve("envelope-1");
      },
      resolveName: (name) => Promise.resolve(names[name] ?? null),
      ...changes,
    },
    textEnvelope,
  );
  return { posted, tool, say: (args: Record<string, unknown>) => tool.run(args, context) };
}

describe("say", () => {
  it("posts a text for everybody and gives its id", async () => {
    const { posted, say } = setUp();
    expect(await say({ content: "hello" })).toBe("posted envelope envelope-1");
    expect(posted).toEqual([
      {
        channel_id: "channel-1",
        sender_id: "id-a",
        audience: null,
        event_type: EV_TEXT,
        event_data: { text: "hello" },
        causation_id: null,
      },
    ]);
  });

  it("resolves an audience of names, each once", async () => {
    const { posted, say } = setUp();
    await say({ content: "hello", audience: ["bob", "carol", "bob"] });
    expect(posted[0]?.audience).toEqual(["id-b", "id-c"]);
    await say({ content: "hello", audience: [] });
    await say({ content: "hello", audience: null, channel_id: null });
    expect(posted.slice(1).map(({ audience }) => audience)).toEqual([null, null]);
  });

  it("posts nothing when a name of the audience is unknown or cannot be looked up", async () => {
    const { posted, say } = setUp();
    expect(await say({ content: "x", audience: ["bob", "dave"] })).toBe(
      "Error: peer 'dave' not found",
    );
    const offline = setUp({ resolveName: () => Promise.reject(new Error("offline")) });
    expect(await offline.say({ content: "x", audience: ["bob"] })).toBe(
      "Error: peer 'bob' not found",
    );
    expect([...posted, ...offline.posted]).toEqual([]);
  });

  it("takes channel_id only outside a channel", async () => {
    const inside = setUp();
    await inside.say({ content: "x", channel_id: "channel-9" });
    expect(inside.posted[0]?.channel_id).toBe("channel-1");
    const outside = setUp({ channelId: null });
    await outside.say({ content: "x", channel_id: "channel-9" });
    expect(outside.posted[0]?.channel_id).toBe("channel-9");
    const nowhere = "Error: no current channel and no channel_id provided";
    expect(await outside.say({ content: "x" })).toBe(nowhere);
    expect(await outside.say({ content: "x", channel_id: "" })).toBe(nowhere);
  });

  it("tells an unknown channel from a post that failed", async () => {
    const post = () => Promise.reject(new NotFoundError("channel not found"));
    const outside = setUp({ channelId: null, post });
    expect(await outside.say({ content: "x", channel_id: "channel-9" })).toBe(
      "Error: channel 'channel-9' not found: channel not found",
    );
    const inside = setUp({ post: () => Promise.reject(new Error("not your turn")) });
    expect(await inside.say({ content: "x" })).toBe("Error: send failed: not your turn");
    const odd = setUp({ post: () => Promise.reject("odd") });
    expect(await odd.say({ content: "x" })).toBe("Error: send failed: odd");
  });

  it("answers wrong arguments with an error that names them", async () => {
    const { posted, say } = setUp();
    expect(await say({})).toMatch(/^Error: .*`content`/);
    expect(await say({ content: 5 })).toMatch(/^Error: .*`content`/);
    expect(await say({ content: " " })).toBe("Error: say requires `content`");
    expect(await say({ content: "x", audience: "bob" })).toMatch(/^Error: .*`audience`/);
    expect(await say({ content: "x", audience: [5] })).toMatch(/^Error: .*`audience.0`/);
    expect(posted).toEqual([]);
  });

  it("describes its arguments to a model", () => {
    const { tool } = setUp();
    expect(tool.name).toBe(SAY_TOOL);
    expect(tool.parameters).toMatchObject({
      type: "object",
      required: ["content"],
      properties: { content: { type: "string" }, audience: {}, channel_id: {} },
    });
  });
});
