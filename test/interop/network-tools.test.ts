import { createScriptedAgent } from "@colloquy/client";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startMeeting, textsOf, untilTexts } from "./harness/meeting.js";

describe("AG2's network tools on this hub", () => {
  it("delegates from a Python turn to a TypeScript agent and answers with what came back", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const delegate = { tool: "delegate", args: { target: "tom", prompt: "how much?" } };
    const pia = await python.agent("pia", { script: [delegate, "tom says 42"] });
    const client = meeting.client();
    await client.register(createScriptedAgent("tom", ["42"]));
    const hugo = await client.registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "conversation", target: "pia" });
    await hugo.say(channelId, "ask tom");
    await untilTexts(client, channelId, ["ask tom", "tom says 42"]);
    const { calls } = await pia.asked();
    expect(calls[1]?.messages.at(-1)).toEqual({ results: [{ tool: "delegate", result: "42" }] });
    const asked = (await python.call("list_channels", {
      agent_id: pia.agentId,
      include_terminal: true,
    })) as { channel_id: string; manifest: { type: string }; close_reason: string }[];
    const consulted = asked.find(({ manifest }) => manifest.type === "consulting");
    expect(consulted?.close_reason).toBe("consulting_complete");
    const [question] = await python
      .wal(consulted?.channel_id ?? "")
      .then((wal) => wal.filter(({ event_type }) => event_type === "ag2.msg.text"));
    expect(question?.depth).toBe(1);
  });

  it("is stopped by the hub at the depth of delegation, with AG2's sentence", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const delegate = (target: string) => ({ tool: "delegate", args: { target, prompt: "sum?" } });
    await python.agent("pia", { script: [delegate("paul"), "paul says no"] });
    const rule = { limits: { delegation_depth: 1 } };
    const paul = await python.agent("paul", { script: [delegate("tom"), "no way"], rule });
    const client = meeting.client();
    const agent = createScriptedAgent("tom", ["42"]);
    await client.register(agent);
    const hugo = await client.registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "conversation", target: "pia" });
    await hugo.say(channelId, "ask");
    await untilTexts(client, channelId, ["ask", "paul says no"]);
    const { calls } = await paul.asked();
    expect(JSON.stringify(calls[1]?.messages.at(-1))).toContain(
      "Error: prompt send failed: sender 'paul' exceeded delegation_depth (2 > 1)",
    );
    expect(agent.turns).toEqual([]);
    expect(await python.call("list_channels", { agent_id: paul.agentId })).toEqual([]);
  });

  it("finds peers, opens and closes channels, and reads along, outside any turn", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const client = meeting.client();
    await client.register(createScriptedAgent("tom", ["42"]), {
      passport: { name: "tom" },
      resume: { claimed_capabilities: ["sums"], summary: "counts" },
      skill: "# Sums\n\nCounts anything.",
    });
    const pia = await python.agent("pia", {
      script: [
        { tool: "peers", args: { action: "find", query: "tom" } },
        { tool: "peers", args: { action: "describe", name: "tom" } },
        { tool: "channels", args: { action: "open", type: "conversation", target: "tom" } },
        "done",
      ],
    });
    expect(await pia.ask("look around")).toBe("done");
    const { calls } = await pia.asked();
    const found = JSON.stringify(calls[1]?.messages.at(-1));
    expect(found).toContain('"tom"');
    expect(JSON.stringify(calls[2]?.messages.at(-1))).toContain("Counts anything.");
    const channels = (await python.call("list_channels", { agent_id: pia.agentId })) as {
      channel_id: string;
    }[];
    const channelId = channels[0]?.channel_id ?? "";
    expect(JSON.stringify(calls[3]?.messages.at(-1))).toContain(channelId);

    await pia.say(channelId, "how much?");
    // Its turn on the answer finds the script empty; only then are there lines for the next.
    await pia.settled(channelId, "42");
    await pia.addLines(
      { tool: "context", args: { action: "quote", speaker: "tom", channel_id: channelId } },
      { tool: "channels", args: { action: "close", channel_id: channelId } },
      "closed",
    );
    expect(await pia.ask("go on")).toBe("closed");
    await until(async () => (await python.channel(channelId)).close_reason === "closed_by_agent");
  });

  it("says something within a turn, and the other side hears both", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    await python.agent("pia", {
      script: [{ tool: "say", args: { content: "let me see" } }, "42"],
    });
    const client = meeting.client();
    const hugo = await client.registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "conversation", target: "pia" });
    await hugo.say(channelId, "how much?");
    await untilTexts(client, channelId, ["how much?", "let me see", "42"]);
    expect(await textsOf(hugo.hub, channelId)).toHaveLength(3);
  });
});
