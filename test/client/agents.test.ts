import {
  createConversationAdapter,
  createDefaultAdapters,
  dumpGraph,
  sequenceGraph,
} from "@colloquy/adapters";
import { createScriptedAgent, registerDirect, type Turn } from "@colloquy/client";
import {
  type ChannelAdapter,
  type Envelope,
  EV_CONTEXT_SET,
  EV_PACKET,
  EV_TEXT,
  handoff,
  NotFoundError,
  ProtocolError,
  type Tool,
} from "@colloquy/protocol";
import { createFakeClock, createRecordingLogger, settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startTestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const textOf = (envelope: Envelope) => String(envelope.event_data["text"]);
const isText = ({ event_type }: Envelope) => event_type === EV_TEXT;
const sayTool = (turn: Turn): Tool => {
  const tool = turn.tools.find(({ name }) => name === "say");
  if (tool === undefined) throw new Error("say is not offered");
  return tool;
};
const call = (turn: Turn, args: Record<string, unknown>) =>
  sayTool(turn).run(args, { signal: turn.signal, callId: "1" });

describe.each(TRANSPORTS)("agents over %s", (transport) => {
  it("what say has said in a consulting channel stands for the reply", async () => {
    await using network = await startTestNetwork({ transport });
    const failures: unknown[] = [];
    network.hub.addListener({ onTurnFailed: (failure) => failures.push(failure) });
    const { client: ada } = await network.agent("ada");
    await network.agent("bob", async (turn) => {
      await call(turn, { content: "by the tool" });
      return "by the reply";
    });
    expect(await ada.consult("bob", "well?")).toBe("by the tool");
    await settle(20);
    expect(failures).toEqual([]);
  });

  it("what say has said is not said again when the turn is run again", async () => {
    const clock = createFakeClock();
    await using network = await startTestNetwork({ transport, hub: { clock } });
    const ada = await network.ackOnly("ada");
    await network.agent("bob", async (turn) => {
      await call(turn, { content: `wait, attempt ${turn.attempt}` });
      if (turn.attempt === 1) throw new Error("crash after the tool");
      return "the answer";
    });
    const channel = await ada.open({ type: "conversation", target: "bob" });
    await channel.send("well?");
    await until(async () => {
      await clock.advanceAsync(100);
      return (await network.texts(channel.channelId)).includes("the answer");
    });
    expect(await network.texts(channel.channelId)).toEqual([
      ...["well?", "wait, attempt 1", "the answer"],
    ]);
  });

  it("an envelope whose turn has passed to a later one is left to that", async () => {
    await using network = await startTestNetwork({ transport });
    const hold = gate();
    const ada = await network.ackOnly("ada");
    await network.agent("bob", ["bob speaks"]);
    const { client: cyd, script } = await network.agent("cyd", ["cyd speaks"], {
      async onEnvelope(envelope, client, delivery) {
        if (isText(envelope) && textOf(envelope) === "ada speaks") await hold.opened;
        await client.defaultHandler(envelope, client, delivery);
      },
    });
    const channel = await ada.open({ type: "discussion", target: ["bob", "cyd"] });
    await channel.send("ada speaks");
    await until(async () => (await network.texts(channel.channelId)).length === 2);
    hold.open();
    await until(async () => (await network.texts(channel.channelId)).length === 3);
    expect(script.turns).toHaveLength(1);
    expect(script.turns[0]?.envelope.event_data["text"]).toBe("bob speaks");
    expect(JSON.stringify(script.turns[0]?.history)).toContain("ada speaks");
    expect(cyd.status).toBe("active");
  });

  it("a handoff by name is followed, and one to nobody goes on by the graph and is remarked on", async () => {
    await using network = await startTestNetwork({ transport });
    const logger = createRecordingLogger();
    const to = (target: string, reply: string) => ({
      text: reply,
      events: [
        { type: "tool_call", id: "1", name: "pass_on", arguments: {} },
        { type: "tool_result", id: "1", result: handoff(target) },
      ] as const,
    });
    const ada = await network.ackOnly("ada");
    const bob = await network.agent("bob", [to("cyd", "to cyd"), null], {
      on: network.connect({ logger }),
    });
    const cyd = await network.agent("cyd", [to("nobody", "to nobody")], {
      on: network.connect({ logger }),
    });
    const graph = sequenceGraph([ada.agentId, bob.client.agentId, cyd.client.agentId]);
    const channel = await ada.open({
      type: "workflow",
      target: ["bob", "cyd"],
      knobs: { graph: JSON.parse(dumpGraph(graph)) as Record<string, unknown> },
    });
    await channel.send("go");
    await until(() => cyd.script.turns.length === 1);
    const packets = await until(async () => {
      const found = (await network.wal(channel.channelId)).filter(
        ({ event_type }) => event_type === EV_PACKET,
      );
      return found.length === 2 && found;
    });
    expect(packets.map(({ event_data }) => event_data["routing"])).toMatchObject([
      { kind: "handoff", target: cyd.client.agentId },
      { kind: "handoff", unresolved_target: "nobody" },
    ]);
    await until(() => logger.lines.some(({ level }) => level === "warn"));
    const [warning] = logger.lines.filter(({ level }) => level === "warn");
    expect(String(warning?.fields["notes"])).toContain("nobody");
  });

  it("no more turns run at once than allowed, over all channels", async () => {
    await using network = await startTestNetwork({ transport });
    const gates: (() => void)[] = [];
    const human = await network.human("hugo");
    await network.agent("ada", () => new Promise((resolve) => gates.push(() => resolve("done"))), {
      maxParallelTurns: 2,
    });
    const channels = await Promise.all(
      ["1", "2", "3"].map(() => human.open({ type: "conversation", target: "ada" })),
    );
    for (const { channelId } of channels) await human.say(channelId, "go");
    await until(() => gates.length === 2);
    await settle(20);
    expect(gates).toHaveLength(2);
    gates[0]?.();
    await until(() => gates.length === 3);
    for (const open of gates) open();
    await until(async () => {
      const all = await Promise.all(channels.map((c) => network.texts(c.channelId)));
      return all.every((texts) => texts.length === 2);
    });
  });

  it("a handler of one's own may go on to the default one, and what it throws comes again", async () => {
    const clock = createFakeClock();
    await using network = await startTestNetwork({ transport, hub: { clock } });
    const ada = await network.ackOnly("ada");
    const attempts: number[] = [];
    const { client: bob } = await network.agent("bob", ["hello", "again"]);
    bob.onEnvelope(async (envelope, client, delivery) => {
      if (isText(envelope)) {
        attempts.push(delivery.attempt);
        if (delivery.attempt === 1) throw new Error("not yet");
      }
      await client.defaultHandler(envelope, client, delivery);
    });
    const channel = await ada.open({ type: "conversation", target: "bob" });
    await channel.send("well?");
    await until(async () => {
      await clock.advanceAsync(100);
      return (await network.texts(channel.channelId)).length === 2;
    });
    expect(attempts).toEqual([1, 2]);
    bob.onEnvelope(null);
    await channel.send("and?");
    await until(async () => (await network.texts(channel.channelId)).length === 4);
    expect(attempts).toEqual([1, 2]);
  });

  it("tools that a channel type fails to make cost the tools, not the turn", async () => {
    const broken: ChannelAdapter = {
      ...createConversationAdapter(),
      toolsFor() {
        throw new Error("no tools today");
      },
    } as ChannelAdapter;
    await using network = await startTestNetwork({ transport });
    const logger = createRecordingLogger();
    const on = network.connect({ adapters: [broken], logger });
    const { script } = await network.agent("ada", ["fine"], { on, networkTools: false });
    const human = await network.human("hugo");
    const { channelId } = await human.open({ type: "conversation", target: "ada" });
    await human.say(channelId, "how are you?");
    await until(async () => (await network.texts(channelId)).length === 2);
    expect(script.turns[0]?.tools).toEqual([]);
    expect(logger.lines.some(({ fields }) => fields["error"] === "no tools today")).toBe(true);
  });

  it("a channel type that the client does not know makes its turns fail, and only those", async () => {
    await using network = await startTestNetwork({ transport });
    const failures: { error: string }[] = [];
    network.hub.addListener({ onTurnFailed: (failure) => failures.push(failure) });
    const [consulting] = createDefaultAdapters();
    if (consulting === undefined) throw new Error("there are built-in channel types");
    await network.agent("ada", ["42"], { on: network.connect({ adapters: [consulting] }) });
    const human = await network.human("hugo");
    const { channelId } = await human.open({ type: "conversation", target: "ada" });
    await human.say(channelId, "well?");
    await until(() => failures.length > 0);
    expect(failures[0]?.error).toContain("no adapter");
    const { client: bob } = await network.agent("bob");
    expect(await bob.consult("ada", "well?")).toBe("42");
  });
});

describe.each(TRANSPORTS)("questions over %s", (transport) => {
  it("reach neither oneself nor nobody", async () => {
    await using network = await startTestNetwork({ transport });
    const { client: ada } = await network.agent("ada");
    await expect(ada.consult("ada", "me?")).rejects.toBeInstanceOf(ProtocolError);
    await expect(ada.consult("nobody", "you?")).rejects.toBeInstanceOf(NotFoundError);
  });

  it("that get no answer in time close their channel", async () => {
    await using network = await startTestNetwork({ transport });
    const { client: ada } = await network.agent("ada");
    await network.ackOnly("bob");
    const asking = ada.consult("bob", "well?", { timeoutMs: 20 });
    await expect(asking).rejects.toMatchObject({ code: "client/timed_out" });
    const [channel] = await network.hub.listChannels();
    expect(channel).toMatchObject({ state: "closed", close_reason: "timed_out" });
    expect(ada.hasChannelInbox(channel?.channel_id ?? "")).toBe(false);
  });

  it("end with their signal, and with their channel", async () => {
    await using network = await startTestNetwork({ transport });
    const { client: ada } = await network.agent("ada");
    const bob = await network.ackOnly("bob");
    const abort = new AbortController();
    const first = ada.consult("bob", "well?", { signal: abort.signal });
    const failing = expect(first).rejects.toMatchObject({ code: "client/aborted" });
    await until(async () => (await network.hub.listChannels({ states: ["active"] })).length === 1);
    abort.abort();
    await failing;

    const second = ada.consult("bob", "well?");
    const ended = expect(second).rejects.toMatchObject({
      code: "client/channel_ended",
      details: { reason: "busy" },
    });
    const [open] = await until(async () => {
      const channels = await network.hub.listChannels({ states: ["active"] });
      return channels.length === 1 && channels;
    });
    await bob.hub.closeChannel(open?.channel_id ?? "", "busy");
    await ended;
  });
});

describe.each(TRANSPORTS)("identities over %s", (transport) => {
  it("change what the hub knows of them", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada", { resume: { summary: "adds" } });
    expect(ada.resume.summary).toBe("adds");
    await ada.addExample({ title: "the first sum" });
    await ada.setSkill("# Sums");
    await ada.setRule({ ...ada.rule, limits: { ...ada.rule.limits, delegation_depth: 2 } });
    expect((await network.hub.getResume(ada.agentId)).examples).toMatchObject([
      { title: "the first sum", outcome: "" },
    ]);
    expect(ada.resume.examples).toHaveLength(1);
    expect(await network.hub.getSkill(ada.agentId)).toBe("# Sums");
    expect((await network.hub.getRule(ada.agentId)).limits.delegation_depth).toBe(2);
    expect(ada.rule.limits.delegation_depth).toBe(2);
  });

  it("open channels by name or id, with everything that a channel may have", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada");
    const [bob, cyd] = [await network.ackOnly("bob"), await network.ackOnly("cyd")];
    const discussion = await ada.open({
      type: "discussion",
      target: [bob.agentId, "cyd"],
      ttl: "1h",
      intent: "to plan",
      labels: { team: "red" },
    });
    expect(discussion.metadata.labels).toEqual({ team: "red", intent: "to plan" });
    expect(discussion.metadata.participants.map(({ agent_id }) => agent_id)).toEqual([
      ...[ada.agentId, bob.agentId, cyd.agentId],
    ]);
    const lasts =
      Date.parse(discussion.metadata.expires_at ?? "") - Date.parse(discussion.metadata.created_at);
    expect(lasts).toBe(3_600_000);
    expect([discussion.state, discussion.isTerminal]).toEqual(["active", false]);
    await discussion.close("enough");
    expect([discussion.state, discussion.isTerminal]).toEqual(["closed", true]);
    expect((await (await bob.channel(discussion.channelId)).info()).close_reason).toBe("enough");
  });

  it("set and delete variables of a channel", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada");
    await network.ackOnly("bob");
    const channel = await ada.open({ type: "conversation", target: "bob" });
    await channel.setContext({ colour: "red", size: 1 });
    await channel.deleteContext(["size"]);
    const events = (await network.wal(channel.channelId)).filter(
      ({ event_type }) => event_type === EV_CONTEXT_SET,
    );
    expect(events.map(({ event_data }) => event_data)).toEqual([
      { set: { colour: "red", size: 1 } },
      { delete: ["size"] },
    ]);
  });
});

describe("the end of a hub client", () => {
  it("a drained one finishes its turns, takes no new ones and leaves those to the next", async () => {
    await using network = await startTestNetwork();
    const hold = gate();
    const on = network.connect();
    const ada = await network.agent(
      "ada",
      async ({ input, context }) => {
        await hold.opened;
        return `${String(input)}: ${await context.client.consult("expert", "why?")}`;
      },
      { on },
    );
    await network.agent("expert", () => "because");
    const human = await network.human("hugo");
    const { channelId } = await human.open({ type: "conversation", target: "ada" });
    await human.say(channelId, "one");
    await until(() => ada.script.turns.length === 1);
    const draining = on.drain();
    await human.say(channelId, "two");
    hold.open();
    await draining;
    expect(on.isClosed).toBe(true);
    expect(await network.texts(channelId)).toEqual(["one", "two", "one: because"]);
    expect(ada.script.turns).toHaveLength(1);
    await network.connect().attach(createScriptedAgent("ada", ["taken over"]), "ada");
    await until(async () => (await network.texts(channelId)).includes("taken over"));
  });

  it("shutdown unregisters everybody, close nobody", async () => {
    await using network = await startTestNetwork();
    const [closing, shutting] = [network.connect(), network.connect()];
    await network.ackOnly("ada", { on: closing });
    await network.human("hugo", { on: shutting });
    await network.ackOnly("bob", { on: shutting });
    await closing.close();
    await shutting.shutdown();
    expect((await network.hub.listAgents()).map(({ name }) => name)).toEqual(["ada"]);
    expect(shutting.participants).toEqual([]);
  });

  it("an agent registered directly whose name is taken leaves no client behind", async () => {
    await using network = await startTestNetwork();
    await registerDirect(network.hub, createScriptedAgent("ada"));
    const count = network.hub.health().connections;
    await expect(registerDirect(network.hub, createScriptedAgent("ada"))).rejects.toThrow(
      "already registered",
    );
    await until(() => network.hub.health().connections === count);
  });
});
