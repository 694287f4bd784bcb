import { roundRobinGraph } from "@colloquy/adapters";
import { createScriptedAgent } from "@colloquy/client";
import { EV_CHANNEL_CLOSED, handoff } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startRelay } from "../client/relay.js";
import { createCounter, numbersTo } from "./harness/counter.js";
import {
  startMeeting,
  textsOf,
  untilClosed,
  untilFirstTexts,
  untilTexts,
} from "./harness/meeting.js";
import { calling, jsonOf } from "./harness/tool-round.js";

const isEnd = ({ event_type }: { event_type: string }) => event_type === EV_CHANNEL_CLOSED;

describe("Colloquy's client on AG2's own hub", () => {
  it("falls to the bare profile by itself and consults in both directions", async () => {
    await using meeting = await startMeeting("ag2");
    const python = await meeting.python();
    const pia = await python.agent("pia", { script: ["42 from Python"] });
    const client = meeting.client();
    const tom = await client.register(createScriptedAgent("tom", ["42 from TypeScript"]));
    expect(client.profile).toBe("ag2");
    expect(await tom.consult("pia", "how much?")).toBe("42 from Python");
    const { channel_id } = await pia.open({ type: "consulting", target: "tom" });
    await pia.say(channel_id, "how much?");
    await pia.hear(channel_id, "42 from TypeScript");
    const closed = await tom.waitForChannelEvent(channel_id, isEnd, 10_000);
    expect(closed.event_data["reason"]).toBe("consulting_complete");
  });

  it("converses as a person with a Python agent, and as an agent with a Python human", async () => {
    await using meeting = await startMeeting("ag2");
    const python = await meeting.python();
    await python.agent("pia", { script: [{ nth: "pia" }] });
    const hanna = await python.human("hanna");
    const hugo = await meeting.client().registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "conversation", target: "pia" });
    await hugo.say(channelId, "one");
    await hugo.nextEnvelope(({ event_data }) => event_data["text"] === "pia 1", 10_000);
    await hugo.say(channelId, "two");
    await untilTexts(hugo.hub, channelId, ["one", "pia 1", "two", "pia 2"]);

    let said = 0;
    const agent = createScriptedAgent("tom", () => `tom ${++said}`);
    const tom = await meeting.client().register(agent);
    const opened = await hanna.open({ type: "conversation", target: "tom" });
    await hanna.say(opened.channel_id, "first");
    await hanna.hear(opened.channel_id, "tom 1");
    await hanna.say(opened.channel_id, "second");
    await hanna.hear(opened.channel_id, "tom 2");
    expect(await textsOf(tom.hub, opened.channel_id)).toEqual([
      ...["first", "tom 1", "second", "tom 2"],
    ]);
    expect(agent.turns[1]?.history.map(({ role, content }) => [role, content])).toEqual([
      ["user", "first"],
      ["assistant", "tom 1"],
    ]);
  });

  it("discusses in turn with a socket for each agent", async () => {
    await using meeting = await startMeeting("ag2");
    const python = await meeting.python();
    await python.agent("pia", { script: [{ nth: "pia" }] });
    const counting = (name: string) => {
      let said = 0;
      return createScriptedAgent(name, () => `${name} ${++said}`);
    };
    await meeting.client().register(counting("tom"));
    await meeting.client().register(counting("tina"));
    const hugo = await meeting.client().registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "discussion", target: ["tom", "pia", "tina"] });
    const round = (n: number) => ["hugo", "tom", "pia", "tina"].map((name) => `${name} ${n}`);
    await hugo.say(channelId, "hugo 1");
    await untilTexts(hugo.hub, channelId, round(1));
    await hugo.say(channelId, "hugo 2");
    await untilTexts(hugo.hub, channelId, [...round(1), ...round(2)]);
  });

  it("routes a workflow: a handoff to a Python agent by name, and its finish", async () => {
    await using meeting = await startMeeting("ag2");
    const python = await meeting.python();
    const pia = await python.agent("pia", {
      tools: ["finish"],
      script: [{ tool: "finish", args: { summary: "settled" } }, "all is well"],
    });
    const passing = createScriptedAgent("tom", [calling("route", handoff("pia", "yours"))]);
    const tom = await meeting.client().register(passing);
    const hugo = await meeting.client().registerHuman({ name: "hugo" });
    const order = [hugo.agentId, tom.agentId, pia.agentId];
    const { channelId } = await hugo.open({
      type: "workflow",
      target: ["tom", "pia"],
      knobs: { graph: jsonOf(roundRobinGraph(order, 9)) },
    });
    await hugo.say(channelId, "go");
    expect(await untilClosed(hugo.hub, channelId)).toBe("finished");
    const packets = (await hugo.hub.readWal(channelId)).filter(
      ({ event_type }) => event_type === "ag2.packet",
    );
    expect(packets.map(({ event_data }) => event_data["routing"])).toMatchObject([
      { kind: "handoff", target: pia.agentId },
      { kind: "finish", summary: "settled" },
    ]);
    expect((await tom.hub.adapterState(channelId)).state).toMatchObject({ turn_count: 3 });
  });

  it("comes back after the hub was killed and answers what was said meanwhile", async () => {
    await using meeting = await startMeeting("ag2");
    const python = await meeting.python({ keeps: true });
    const pia = await python.agent("pia", { script: [{ hold: "thinking" }, { nth: "pia" }] });
    const client = meeting.client();
    const tom = await client.register(createScriptedAgent("tom", ["tom 1", null]));
    const { channelId } = await tom.open({ type: "discussion", target: "pia" });
    const channel = await tom.channel(channelId);
    await channel.send("start");
    await until(async () => (await pia.asked()).waiting.length === 1);
    await meeting.hub.restart();
    await until(() => python.returns === 1, { timeoutMs: 15_000 });
    await untilFirstTexts(client, channelId, ["start", "pia 1", "tom 1", "pia 2"]);
    expect(client.profile).toBe("ag2");
  });

  it("needs a socket for each agent there: on one the opening fails, and the socket lives on", async () => {
    await using meeting = await startMeeting("ag2", {}, { inviteAckSeconds: 1 });
    const client = meeting.client();
    const tom = await client.register(createScriptedAgent("tom"));
    await client.register(createScriptedAgent("tina", ["42"]));
    await expect(tom.open({ type: "consulting", target: "tina" })).rejects.toThrow(/ack/);
    await meeting.client().attach(createScriptedAgent("tina", ["42"]), "tina");
    expect(await tom.consult("tina", "how much?")).toBe("42");
  });

  it("proves who it is by api_key, and is refused without", async () => {
    await using meeting = await startMeeting("ag2", { tom: "tom's key" });
    const client = meeting.client();
    const auth = (token: string) => ({ auth: { scheme: "api_key", claim: { token } } });
    const agent = createScriptedAgent("tom");
    await expect(client.register(agent, { passport: auth("wrong") })).rejects.toMatchObject({
      name: "AuthError",
    });
    const tom = await client.register(agent, { passport: auth("tom's key") });
    expect(tom.passport.auth).toMatchObject({ scheme: "api_key", claim: {} });
    await client.close();
    const again = await meeting.client().attach(agent, "tom", { passport: auth("tom's key") });
    expect(again.agentId).toBe(tom.agentId);
  });

  it("runs a task there with a checkpoint and a track record, which Python sees", async () => {
    await using meeting = await startMeeting("ag2");
    const python = await meeting.python();
    const pia = await python.agent("pia");
    const client = meeting.client();
    const agent = createScriptedAgent("tom", ({ context }) =>
      context.task({ title: "sums", capability: "math" }, {}, async (task) => {
        await task.progress({ read: 3 });
        await task.checkpoint({ page: 3 });
        return "42";
      }),
    );
    const tom = await client.register(agent);
    const { channel_id } = await pia.open({ type: "conversation", target: "tom" });
    await pia.say(channel_id, "work");
    await pia.hear(channel_id, "42");
    const [task] = (await python.call("list_tasks", { channel_id })) as { task_id: string }[];
    expect(task).toMatchObject({
      ...{ owner_id: tom.agentId, state: "completed", progress: { read: 3 } },
      spec: { title: "sums", capability: "math" },
    });
    expect(await client.readTaskCheckpoint(task?.task_id ?? "")).toEqual({ page: 3 });
    await until(async () => {
      const resume = await python.call("get_resume", { agent_id: tom.agentId });
      expect(resume).toMatchObject({ observed: { math: { n: 1 } } });
      return true;
    });
  });

  it("offers its network tools there: peers, channels and delegate to a Python agent", async () => {
    await using meeting = await startMeeting("ag2");
    const python = await meeting.python();
    await python.agent("pia", { script: ["42"], resume: { summary: "counts anything" } });
    const tom = await meeting.client().register(createScriptedAgent("tom"));
    const run = async (name: string, args: Record<string, unknown>): Promise<string> => {
      const tool = tom.tools.find((item) => item.name === name);
      const signal = new AbortController().signal;
      return JSON.stringify(await tool?.run(args, { callId: "c1", signal }));
    };
    expect(await run("peers", { action: "find", query: "counts" })).toContain("pia");
    expect(await run("peers", { action: "describe", name: "pia" })).toContain("counts anything");
    expect(await run("delegate", { target: "pia", prompt: "how much?" })).toBe('"42"');
    expect(await run("channels", { action: "list", state: "all" })).toContain("consulting");
    expect(await run("delegate", { target: "nobody", prompt: "?" })).toContain("not found");
  });

  it("keeps what a person said while the hub was down, and says it once when it is back", async () => {
    await using meeting = await startMeeting("ag2");
    const python = await meeting.python({ keeps: true });
    await python.agent("pia", { script: [{ nth: "pia" }] });
    const hugo = await meeting.client().registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "conversation", target: "pia" });
    await hugo.say(channelId, "one");
    await untilTexts(hugo.hub, channelId, ["one", "pia 1"]);
    await meeting.hub.kill();
    await until(() => python.ends === 1);
    const waiting = hugo.say(channelId, "two");
    await meeting.hub.start();
    await waiting;
    await untilTexts(hugo.hub, channelId, ["one", "pia 1", "two", "pia 2"]);
  });

  it("alternates a hundred turns with a Python agent while its connection is cut every ten", async () => {
    await using meeting = await startMeeting("ag2");
    const way = await startRelay(meeting.hub.url);
    const python = await meeting.python();
    await python.agent("pia", { script: [{ count: true }] });
    const client = meeting.client({ url: way.url });
    const tom = await client.register(createCounter("tom"));
    const { channelId } = await tom.open({ type: "discussion", target: "pia" });
    const channel = await tom.channel(channelId);
    await channel.send("1");
    for (let at = 10; at <= 100; at += 10) {
      await untilFirstTexts(client, channelId, numbersTo(at));
      way.cut();
    }
    await way.stop();
  });

  it("reads a log with Python's NaN in it, as null, and goes on", async () => {
    await using meeting = await startMeeting("ag2");
    const python = await meeting.python();
    const hanna = await python.human("hanna");
    const client = meeting.client();
    await client.register(createScriptedAgent("tom", ["still here"]));
    const { channel_id } = await hanna.open({ type: "conversation", target: "tom" });
    await hanna.command("send_value", { channel_id, source: "[float('nan'), -float('inf'), 1.5]" });
    await hanna.say(channel_id, "NaN?");
    await hanna.hear(channel_id, "still here");
    const values = (await client.readWal(channel_id)).flatMap(({ event_type, event_data }) =>
      event_type === "test.value" ? [event_data["value"]] : [],
    );
    expect(values).toEqual([[null, null, 1.5]]);
  });
});
