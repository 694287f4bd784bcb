import { createScriptedAgent, type Turn } from "@colloquy/client";
import { EV_CHANNEL_CLOSED, EV_TEXT } from "@colloquy/protocol";
import { createFakeClock, settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startTestNetwork, TRANSPORTS, textsOf } from "../fixtures/test-network.js";

/** Something that a test lets through by hand. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe.each(TRANSPORTS)("turns over %s", (transport) => {
  it("F-027 a question gets its answer, whether it takes no time or five seconds", async () => {
    await using network = await startTestNetwork({ transport });
    const clock = createFakeClock();
    const { client: ada } = await network.agent("ada");
    await network.agent("quick", ({ input }) => `quick: ${String(input)}`);
    await network.agent("slow", async ({ input }) => {
      await new Promise<void>((resolve) => void clock.setTimer(5_000, resolve));
      return `slow: ${String(input)}`;
    });
    expect(await ada.consult("quick", "well?")).toBe("quick: well?");
    const slow = ada.consult("slow", "well?");
    await until(() => clock.pendingTimers === 1);
    clock.advance(5_000);
    expect(await slow).toBe("slow: well?");
  });

  it("a question asked inside a turn gets its answer, one hop deeper and in a channel of its own", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada");
    const expert = await network.agent("expert", ["42"]);
    await network.agent("clerk", async ({ context, input }) => {
      return `the expert says ${await context.client.consult("expert", String(input))}`;
    });
    const channel = await ada.open({ type: "consulting", target: "clerk" });
    await channel.send("how much?");
    const answer = await ada.waitForChannelEvent(
      channel.channelId,
      ({ event_type }) => event_type === EV_TEXT,
    );
    expect(answer.event_data["text"]).toBe("the expert says 42");
    const [asked] = expert.script.turns;
    expect(asked?.envelope).toMatchObject({ depth: 1, event_data: { text: "how much?" } });
    expect(asked?.channel.parent_channel_id).toBe(channel.channelId);
  });

  it("two agents of one client ask each other inside their turns", async () => {
    await using network = await startTestNetwork({ transport });
    const on = network.connect();
    const human = await network.human("hugo");
    const relay = (next: string) => async (turn: Turn) =>
      turn.channel.parent_channel_id === null
        ? `${next} says ${await turn.context.client.consult(next, "your name?")}`
        : `I am ${turn.context.client.name}`;
    await network.agent("ada", relay("bob"), { on });
    await network.agent("bob", relay("ada"), { on });
    const channels = [
      await human.open({ type: "consulting", target: "ada" }),
      await human.open({ type: "consulting", target: "bob" }),
    ];
    await Promise.all(channels.map(({ channelId }) => human.say(channelId, "who is the other?")));
    await until(async () =>
      (await Promise.all(channels.map((c) => c.info()))).every((c) => c.close_reason),
    );
    const texts = await Promise.all(channels.map(({ channelId }) => network.texts(channelId)));
    expect(texts.map((list) => list[1])).toEqual(["bob says I am bob", "ada says I am ada"]);
  });

  it("F-029 a second message during a turn is handled next, with the first answer in its history", async () => {
    await using network = await startTestNetwork({ transport });
    const hold = gate();
    const human = await network.human("hugo");
    const { script } = await network.agent("ada", async ({ input }) => {
      if (input === "one") await hold.opened;
      return `answer to ${String(input)}`;
    });
    const { channelId } = await human.open({ type: "conversation", target: "ada" });
    await human.say(channelId, "one");
    await until(() => script.turns.length === 1);
    await human.say(channelId, "two");
    hold.open();
    await until(async () => (await network.texts(channelId)).length === 4);
    expect(await network.texts(channelId)).toEqual([
      "one",
      "two",
      "answer to one",
      "answer to two",
    ]);
    expect(script.turns[1]?.history.map(({ role, content }) => [role, content])).toEqual([
      ["user", "one"],
      ["assistant", "answer to one"],
    ]);
    const wal = await network.wal(channelId);
    const answers = wal.filter(
      ({ causation_id, event_type }) => causation_id && event_type === EV_TEXT,
    );
    expect(new Set(answers.map(({ causation_id }) => causation_id)).size).toBe(2);
  });

  it("F-029 the first answer is in the history also where another process gave it", async () => {
    await using network = await startTestNetwork({ transport });
    const hold = gate();
    const human = await network.human("hugo");
    const first = network.connect();
    const { script } = await network.agent(
      "ada",
      async ({ input, signal }) => {
        if (input === "one") await hold.opened;
        else await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return `answer to ${String(input)}`;
      },
      { on: first },
    );
    const { channelId } = await human.open({ type: "conversation", target: "ada" });
    await human.say(channelId, "one");
    await human.say(channelId, "two");
    hold.open();
    await until(() => script.turns.length === 2);
    await first.close();
    const again = createScriptedAgent("ada", ["answer to two"]);
    await network.connect().attach(again, "ada");
    await until(async () => (await network.texts(channelId)).length === 4);
    expect(again.turns.map(({ input }) => input)).toEqual(["two"]);
    expect(again.turns[0]?.history.map(({ role, content }) => [role, content])).toEqual([
      ["user", "one"],
      ["assistant", "answer to one"],
    ]);
  });

  it("F-030 one turn at a time holds for hours, and a turn whose process died is free again", async () => {
    const clock = createFakeClock();
    await using network = await startTestNetwork({ transport, hub: { clock } });
    const hold = gate();
    let running = 0;
    let most = 0;
    const human = await network.human("hugo");
    const process1 = network.connect({ clock });
    const ada = await network.agent(
      "ada",
      async ({ input, signal }) => {
        running += 1;
        most = Math.max(most, running);
        if (input === "one") await hold.opened;
        else await new Promise((resolve) => signal.addEventListener("abort", resolve));
        running -= 1;
        return "done";
      },
      { on: process1, turnTimeoutMs: 24 * 3_600_000 },
    );
    const { channelId } = await human.open({ type: "conversation", target: "ada" });
    await human.say(channelId, "one");
    await until(() => ada.script.turns.length === 1);
    await clock.advanceAsync(2 * 3_600_000 - 1_000);
    await human.say(channelId, "two");
    await settle();
    expect(ada.script.turns).toHaveLength(1);
    hold.open();
    await until(() => ada.script.turns.length === 2);
    expect(most).toBe(1);

    await process1.close();
    const again = createScriptedAgent("ada", ["taken up again"]);
    await network.connect().attach(again, "ada");
    await until(async () => (await network.texts(channelId)).includes("taken up again"));
    expect(again.turns.map(({ input }) => input)).toEqual(["two"]);
  });

  it("F-045 turns in two channels at once never mix, a hundred times", async () => {
    await using network = await startTestNetwork({ transport });
    const [ann, bea] = [await network.ackOnly("ann"), await network.ackOnly("bea")];
    const faults: string[] = [];
    const { client: ada } = await network.agent("ada", async ({ context, channel, ...turn }) => {
      const own = channel.channel_id;
      const label = String(channel.labels["of"]);
      const said = turn.history.filter(({ role }) => role !== "compaction_summary");
      if (context.channel.channelId !== own) faults.push("handle");
      if ((await context.channel.info()).channel_id !== own) faults.push("metadata");
      if (turn.tools[0]?.name !== "say") faults.push("tools");
      const info = turn.tools.find(({ name }) => name === "channels");
      const facts = await info?.run({ action: "info" }, { signal: turn.signal, callId: "info" });
      if ((facts as { channel_id: string }).channel_id !== own) faults.push("channel of a tool");
      if (!said.every(({ content }) => String(content).includes(label))) faults.push("history");
      const { last_speaker_id } = context.state as { last_speaker_id: string };
      if (last_speaker_id !== channel.creator_id) faults.push("state");
      return `reply to ${String(turn.input)}`;
    });
    const open = (from: typeof ann, of: string) =>
      from.open({ type: "conversation", target: "ada", labels: { of } });
    const [one, two] = [await open(ann, "ann"), await open(bea, "bea")];
    for (let round = 0; round < 100; round += 1) {
      await Promise.all([one.send(`ann ${round}`), two.send(`bea ${round}`)]);
      await until(async () => {
        const pages = await Promise.all([one, two].map((c) => network.texts(c.channelId)));
        return pages.every((texts) => texts.length === 2 * (round + 1));
      });
    }
    for (const [channel, of] of [
      [one, "ann"],
      [two, "bea"],
    ] as const) {
      const texts = await network.texts(channel.channelId);
      const wanted = Array.from({ length: 100 }, (_, i) => [`${of} ${i}`, `reply to ${of} ${i}`]);
      expect(texts).toEqual(wanted.flat());
    }
    expect(faults).toEqual([]);
    expect(ada.status).toBe("active");
  });

  it("F-020 two who always answer are stopped with a reason, and nobody answers himself", async () => {
    await using network = await startTestNetwork({ transport });
    const { client: ada, script } = await network.agent("ada", () => "and on");
    const bob = await network.agent("bob", () => "and on");
    const channel = await ada.open({
      type: "conversation",
      target: "bob",
      knobs: { loop_guard: 6 },
    });
    await channel.send("go", { audience: [ada.agentId, bob.client.agentId] });
    const isEnd = ({ event_type }: { event_type: string }) => event_type === EV_CHANNEL_CLOSED;
    const closed = await ada.waitForChannelEvent(channel.channelId, isEnd);
    expect(closed.event_data["reason"]).toBe("loop_guard");
    expect(await network.texts(channel.channelId)).toHaveLength(7);
    expect([script.turns.length, bob.script.turns.length]).toEqual([3, 3]);

    const self = await ada.open({ type: "conversation", target: "bob" });
    await self.send("to myself", { audience: [ada.agentId] });
    await settle(20);
    expect(await network.texts(self.channelId)).toEqual(["to myself"]);
    expect(script.turns).toHaveLength(3);
  });

  it("a turn is cancelled when its channel ends, and that is no failure", async () => {
    await using network = await startTestNetwork({ transport });
    const failures: unknown[] = [];
    network.hub.addListener({ onTurnFailed: (failure) => failures.push(failure) });
    const human = await network.human("hugo");
    let reason: unknown = null;
    const { script } = await network.agent("ada", async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      reason = signal.reason;
      return "too late";
    });
    const { channelId } = await human.open({ type: "conversation", target: "ada" });
    await human.say(channelId, "one");
    await until(() => script.turns.length === 1);
    await human.closeChannel(channelId);
    await until(() => reason);
    expect(reason).toMatchObject({ code: "client/channel_ended", message: /human_closed/ });
    await settle(20);
    expect(failures).toEqual([]);
    expect(await network.texts(channelId)).toEqual(["one"]);
    expect(network.hub.health().pending_inbox_total).toBe(0);
  });

  it("a turn that takes too long is reported, and the hub has it tried again", async () => {
    const clock = createFakeClock();
    await using network = await startTestNetwork({ transport, hub: { clock } });
    const failures: { error: string }[] = [];
    network.hub.addListener({ onTurnFailed: (failure) => failures.push(failure) });
    const ada = await network.ackOnly("ada");
    const bob = await network.agent(
      "bob",
      async ({ attempt, signal }) => {
        if (attempt > 1) return `attempt ${attempt}`;
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return "too late";
      },
      { on: network.connect({ clock, heartbeatMs: 0 }), turnTimeoutMs: 60_000 },
    );
    const channel = await ada.open({ type: "conversation", target: "bob" });
    await channel.send("well?");
    await until(() => bob.script.turns.length === 1);
    clock.advance(60_000);
    await until(() => failures.length === 1);
    expect(failures[0]?.error).toContain("60000 ms");
    await until(async () => {
      await clock.advanceAsync(20);
      return (await network.texts(channel.channelId)).length === 2;
    });
    expect(textsOf(await network.wal(channel.channelId))).toEqual(["well?", "attempt 2"]);
  });

  it("a turn whose time is up says nothing more and asks nobody, whatever its tools still do", async () => {
    const clock = createFakeClock();
    await using network = await startTestNetwork({ transport, hub: { clock } });
    const ada = await network.ackOnly("ada");
    await network.ackOnly("cleo");
    const late: string[] = [];
    const bob = await network.agent(
      "bob",
      async ({ attempt, signal, tools, context }) => {
        if (attempt > 1) return `attempt ${attempt}`;
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        late.push(String(await tools[0]?.run({ content: "too late" }, { signal, callId: "late" })));
        await context.client.consult("cleo", "too late").catch((error) => late.push(error.code));
        return "too late";
      },
      { on: network.connect({ clock, heartbeatMs: 0 }), turnTimeoutMs: 60_000 },
    );
    const channel = await ada.open({ type: "conversation", target: "bob" });
    await channel.send("well?");
    await until(() => bob.script.turns.length === 1);
    clock.advance(60_000);
    await until(async () => {
      await clock.advanceAsync(20);
      return (await network.texts(channel.channelId)).length >= 2 && late.length === 2;
    });
    expect(await network.texts(channel.channelId)).toEqual(["well?", "attempt 2"]);
    expect(late).toEqual([
      "Error: send failed: the turn took longer than 60000 ms",
      "client/aborted",
    ]);
    expect(await network.hub.listChannels()).toHaveLength(1);
  });

  it("pieces of an answer reach the others while it is written", async () => {
    await using network = await startTestNetwork({ transport });
    const human = await network.human("hugo");
    const pieces: string[] = [];
    human.onDelta(({ sequence, text }) => pieces.push(`${sequence} ${text}`));
    await network.agent("ada", (turn) => {
      turn.onDelta("he");
      turn.onDelta("llo");
      return "hello";
    });
    const { channelId } = await human.open({ type: "conversation", target: "ada" });
    await human.say(channelId, "greet me");
    await human.nextEnvelope(({ event_data }) => event_data["text"] === "hello", 5_000);
    expect(pieces).toEqual(["0 he", "1 llo"]);
    expect(await network.texts(channelId)).toEqual(["greet me", "hello"]);
  });
});
