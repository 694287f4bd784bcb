import { createScriptedAgent } from "@colloquy/client";
import { EV_TEXT } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createCounter, numbersTo } from "./harness/counter.js";
import {
  startMeeting,
  textsOf,
  untilClosed,
  untilFirstTexts,
  untilTexts,
} from "./harness/meeting.js";

describe("AG2's clients on this hub when connections and processes break", () => {
  it("gets with attach all that it has not settled, and answers each once", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia");
    const hugo = await meeting.client().registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "conversation", target: "pia" });
    await python.cut();
    const asked = [await hugo.say(channelId, "one"), await hugo.say(channelId, "two")];
    await python.connect("again");
    await python.attach("pia", { connection: "again", script: [{ nth: "pia" }] });
    await until(async () => (await textsOf(hugo.hub, channelId)).length === 4);
    await python.cut("again");
    await python.connect("once more");
    const back = await python.attach("pia", { connection: "once more", script: [] });
    await back.command("rest");
    const answers = (await hugo.hub.readWal(channelId)).filter(
      ({ event_type, sender_id }) => event_type === EV_TEXT && sender_id === pia.agentId,
    );
    expect(answers.map(({ causation_id }) => causation_id).sort()).toEqual(asked.sort());
    expect((await back.asked()).calls).toEqual([]);
  });

  it("finds with resume_pending_turns the turn that it owes, when nothing is replayed", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    await python.agent("pia");
    const hugo = await meeting.client().registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "discussion", target: "pia" });
    await python.cut();
    await hugo.say(channelId, "one");
    await python.connect("again");
    const pia = await python.attach("pia", {
      ...{ connection: "again", script: [{ nth: "pia" }], since: null },
    });
    expect(await textsOf(hugo.hub, channelId)).toEqual(["one"]);
    expect(await pia.resumePending()).toBe(1);
    expect(await textsOf(hugo.hub, channelId)).toEqual(["one", "pia 1"]);
    expect(await pia.resumePending()).toBe(0);
  });

  it("answers a question once over the kill of the hub in the middle of its model's call", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python({ keeps: true });
    const pia = await python.agent("pia", { script: [{ hold: "thinking" }, "never said"] });
    const client = meeting.client();
    const tom = await client.register(createScriptedAgent("tom"));
    const channel = await tom.open({ type: "consulting", target: "pia" });
    await channel.send("how much?");
    await until(async () => (await pia.asked()).waiting.length === 1);
    await meeting.hub.kill();
    await until(() => python.ends === 1, { timeoutMs: 10_000 });
    await pia.addLines("42");
    await pia.release("thinking");
    await meeting.hub.start();
    await until(() => python.returns === 1, { timeoutMs: 15_000 });
    expect(await untilClosed(client, channel.channelId)).toBe("consulting_complete");
    const texts = await textsOf(client, channel.channelId);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toBe("how much?");
    expect(["never said", "42"]).toContain(texts[1]);
  });

  it("goes on with a discussion over three kills of the hub: every turn once, in order", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python({ keeps: true });
    await python.agent("pia", { script: [{ count: true }] });
    const client = meeting.client();
    const tom = await client.register(createCounter("tom"));
    const channel = await tom.open({ type: "discussion", target: "pia" });
    await channel.send("1");
    for (const at of [8, 16, 24]) {
      await until(async () => (await textsOf(client, channel.channelId)).length >= at, {
        timeoutMs: 20_000,
      });
      await meeting.hub.restart();
    }
    await untilFirstTexts(client, channel.channelId, numbersTo(40));
    expect(python.returns).toBe(3);
  });

  it("is answered once by the next process when a Python process is killed within its turn", async () => {
    await using meeting = await startMeeting();
    const doomed = await meeting.python();
    const pia = await doomed.agent("pia", { script: [{ hold: "thinking" }] });
    const hugo = await meeting.client().registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "conversation", target: "pia" });
    await hugo.say(channelId, "one");
    await until(async () => (await pia.asked()).waiting.length === 1);
    await doomed.kill();
    const next = await meeting.python();
    await next.attach("pia", { script: ["42"] });
    await untilTexts(hugo.hub, channelId, ["one", "42"]);
  });

  it("tells an agent that a newer connection speaks for it now", async () => {
    await using meeting = await startMeeting();
    const older = await meeting.python();
    const pia = await older.agent("pia", { script: ["from the older"] });
    const hugo = await meeting.client().registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "conversation", target: "pia" });
    const newer = await meeting.python();
    await newer.attach("pia", { script: ["from the newer"] });
    await hugo.say(channelId, "who is there?");
    await untilTexts(hugo.hub, channelId, ["who is there?", "from the newer"]);
    await until(() => older.ends === 1);
    expect(pia.heard(channelId)).toEqual([]);
  });
});
