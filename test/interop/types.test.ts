import { createScriptedAgent } from "@colloquy/client";
import { describe, expect, it } from "vitest";
import { startMeeting, textsOf, untilClosed, untilTexts } from "./harness/meeting.js";

describe("AG2's agents and people on this hub, beside Colloquy's", () => {
  it("consults from Python to TypeScript and back", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia", { script: ["42 from Python"] });
    const client = meeting.client();
    const tom = await client.register(createScriptedAgent("tom", ["42 from TypeScript"]));

    const outward = await pia.open({ type: "consulting", target: "tom" });
    await pia.say(outward.channel_id, "how much?");
    await pia.hear(outward.channel_id, "42 from TypeScript");
    expect(await untilClosed(client, outward.channel_id)).toBe("consulting_complete");

    expect(await tom.consult("pia", "how much?")).toBe("42 from Python");
    const { calls } = await pia.asked();
    expect(calls).toHaveLength(1);
    expect(calls[0]?.messages).toEqual([{ user: ["how much?"] }]);
    expect(calls[0]?.tools).toEqual(["channels", "context", "delegate", "peers", "say", "tasks"]);
  });

  it("converses: each side has the other's words in its history", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia", { script: ["hello tom", "well, tom"] });
    const client = meeting.client();
    const answers = ["hi pia", null];
    const agent = createScriptedAgent("tom", () => answers.shift() ?? null);
    const tom = await client.register(agent);
    const { channelId } = await tom.open({ type: "conversation", target: "pia" });
    const channel = await tom.channel(channelId);
    await channel.send("hello pia");
    await untilTexts(client, channelId, ["hello pia", "hello tom", "hi pia", "well, tom"]);
    expect((await pia.asked()).calls[1]?.messages).toEqual([
      { user: ["hello pia"] },
      { assistant: "hello tom" },
      { user: ["hi pia"] },
    ]);
    expect(agent.turns[0]?.history).toMatchObject([{ role: "assistant", content: "hello pia" }]);
    expect(agent.turns[0]?.input).toBe("hello tom");
  });

  it("discusses in turn among two Python agents, one of TypeScript, and a Python human", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia", { script: [{ nth: "pia" }] });
    const paul = await python.agent("paul", { script: [{ nth: "paul" }] });
    const client = meeting.client();
    let said = 0;
    await client.register(createScriptedAgent("tom", () => `tom ${++said}`));
    const hanna = await python.human("hanna");
    const { channel_id } = await hanna.open({
      type: "discussion",
      target: ["pia", "tom", "paul"],
    });
    const round = (n: number) => ["hanna", "pia", "tom", "paul"].map((name) => `${name} ${n}`);
    await hanna.say(channel_id, "hanna 1");
    await hanna.hear(channel_id, "paul 1");
    await hanna.say(channel_id, "hanna 2");
    await untilTexts(client, channel_id, [...round(1), ...round(2)]);
    expect((await pia.asked()).calls[0]?.messages).toEqual([{ user: ["[hanna]: hanna 1"] }]);
    expect(paul.heard(channel_id)).toEqual([
      ...["hanna 1", "pia 1", "tom 1", "hanna 2", "pia 2", "tom 2"],
    ]);
  });

  it("refuses a Python agent that speaks out of turn, with AG2's own error class", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia");
    const hugo = await meeting.client().registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "discussion", target: "pia" });
    await expect(pia.say(channelId, "me first")).rejects.toMatchObject({ type: "ProtocolError" });
    expect(await textsOf(hugo.hub, channelId)).toEqual([]);
  });

  it("runs a pipeline of a Python graph over both languages to its end", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia", { script: ["drafted"] });
    const paul = await python.agent("paul", { script: ["checked"] });
    const client = meeting.client();
    const tom = await client.register(createScriptedAgent("tom", ["polished"]));
    const hanna = await python.human("hanna");
    const { graph } = (await python.command("graph", {
      description: { sequence: [hanna, pia, tom, paul].map(({ agentId }) => agentId) },
    })) as { graph: object };
    const { channel_id } = await hanna.open({
      type: "workflow",
      target: ["pia", "tom", "paul"],
      knobs: { graph },
    });
    await hanna.say(channel_id, "write");
    expect(await untilClosed(client, channel_id)).toBe("sequence_complete");
    expect(await textsOf(client, channel_id)).toEqual(["write", "drafted", "polished", "checked"]);
  });
});
