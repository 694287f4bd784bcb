import type { HubClient } from "@colloquy/client";
import { type BreakReason, type ChannelFeed, followChannel } from "@colloquy/client/live";
import { EV_TEXT } from "@colloquy/protocol";
import {
  createFakeClock,
  createRecordingLogger,
  faultyLink,
  settle,
  until,
} from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startTestNetwork, type TestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

/** What a screen would show: who says what, and whether it is whole. */
function shown(feed: ChannelFeed): string[] {
  const marks = { complete: "", growing: " (growing)", broken: " (broken)" };
  return feed.entries
    .filter(({ envelope }) => envelope === null || envelope.event_type === EV_TEXT)
    .map(({ text, state, hasGaps }) => `${hasGaps ? "…" : ""}${text}${marks[state]}`);
}

/** An agent that writes on command. */
async function writer(network: TestNetwork, name: string, on?: HubClient) {
  let show: (text: string) => void = () => undefined;
  let finish: (answer: string | Error | null) => void = () => undefined;
  let asked = 0;
  const { client } = await network.agent(
    name,
    (turn) => {
      asked += 1;
      show = (text) => turn.onDelta(text);
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
    { deltaIntervalMs: 0, ...(on === undefined ? {} : { on }) },
  );
  return {
    client,
    show: (text: string) => show(text),
    finish: (answer: string | Error | null) => finish(answer),
    get asked() {
      return asked;
    },
  };
}

/** Lets the fake time of one client pass in steps that leave real traffic room. */
async function pass(clock: ReturnType<typeof createFakeClock>, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    await clock.advanceAsync(1_000);
    await settle();
  }
}

describe.each(TRANSPORTS)("a followed channel over %s", (transport) => {
  it("shows what is said, one's own words too, and an answer that grows and ends as one entry", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await writer(network, "ada");
    const hugo = await network.human("hugo");
    const { channelId } = await hugo.open({ type: "conversation", target: "ada" });
    using feed = await followChannel(hugo, channelId);
    const asked = await hugo.say(channelId, "greet me");
    await until(() => ada.asked === 1);
    for (const text of ["he", "llo"]) ada.show(text);
    await until(() => shown(feed).includes("hello (growing)"));
    expect(shown(feed)).toEqual(["greet me", "hello (growing)"]);
    expect(feed.writing).toEqual([ada.client.agentId]);
    const id = feed.entries.at(-1)?.id;
    ada.finish("Hello.");
    await until(() => feed.writing.length === 0);
    expect(shown(feed)).toEqual(["greet me", "Hello."]);
    expect(feed.entries.at(-1)).toMatchObject({ id, turnId: asked, senderId: ada.client.agentId });
    const positions = feed.entries.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => Number(a) - Number(b)));
    await until(() => feed.isCurrent);
  });

  it.each([
    [null, "silent"],
    [new Error("out of order"), "failed"],
  ] satisfies [string | Error | null, BreakReason][])(
    "breaks an answer off whose turn ends with %s",
    async (end, reason) => {
      await using network = await startTestNetwork({
        transport,
        hub: { limits: { redeliveryBaseMs: 10 } },
      });
      const ada = await writer(network, "ada");
      const hugo = await network.human("hugo");
      const { channelId } = await hugo.open({ type: "conversation", target: "ada" });
      using feed = await followChannel(hugo, channelId);
      await hugo.say(channelId, "greet me");
      await until(() => ada.asked === 1);
      ada.show("he");
      ada.finish(end);
      await until(() => shown(feed).includes("he (broken)"));
      expect(feed.entries.at(-1)).toMatchObject({ reason, attempt: 1 });
      if (end === null) return;
      const id = feed.entries.at(-1)?.id;
      await until(() => ada.asked === 2);
      ada.show("good day");
      await until(() => shown(feed).includes("good day (growing)"));
      ada.finish("Good day.");
      await until(() => shown(feed).includes("Good day."));
      expect(feed.entries.at(-1)).toMatchObject({ id, attempt: 2 });
      expect(shown(feed)).toEqual(["greet me", "Good day."]);
    },
  );

  it("F-142 a reload halfway shows each envelope once, and the growing answer ends as one entry", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await writer(network, "ada");
    const first = await network.human("hugo");
    const { channelId } = await first.open({ type: "conversation", target: "ada" });
    await first.say(channelId, "one");
    await until(() => ada.asked === 1);
    ada.finish("first answer");
    const before = await followChannel(first, channelId);
    await until(() => shown(before).length === 2);
    await first.say(channelId, "two");
    await until(() => ada.asked === 2);
    ada.show("half of ");
    await until(() => shown(before).includes("half of  (growing)"));
    const id = before.entries.at(-1)?.id;
    await first.hub.close();
    expect(before.isClosed).toBe(true);

    const again = await network.connect().attachHuman("hugo");
    using after = await followChannel(again, channelId);
    expect(shown(after)).toEqual(["one", "first answer", "two"]);
    ada.show("the answer");
    await until(() => after.writing.length === 1);
    expect(shown(after)).toEqual(["one", "first answer", "two", "…the answer (growing)"]);
    expect(after.entries.at(-1)?.id).toBe(id);
    ada.finish("half of the answer");
    await until(() => after.writing.length === 0);
    expect(shown(after)).toEqual(["one", "first answer", "two", "half of the answer"]);
    expect(after.entries.at(-1)?.id).toBe(id);
    await until(() => after.isCurrent);
    const ids = after.entries.map(({ envelope }) => envelope?.envelope_id);
    expect(ids).toEqual((await network.wal(channelId)).map(({ envelope_id }) => envelope_id));
    expect(ada.asked).toBe(2);
  });

  it("F-143 a lost link is shown apart from the agent at work, and nothing is missed", async () => {
    await using network = await startTestNetwork({ transport });
    const clock = createFakeClock();
    const link = faultyLink({ ...network.link(), remote: true });
    const ada = await writer(network, "ada");
    const on = network.connect({ link, clock, heartbeatMs: 2_000, random: () => 0.5 });
    const hugo = await network.human("hugo", { on });
    const { channelId } = await hugo.open({ type: "conversation", target: "ada" });
    using feed = await followChannel(hugo, channelId);
    await hugo.say(channelId, "take your time");
    await until(() => ada.asked === 1);
    ada.show("well, ");
    await until(() => feed.writing.length === 1);
    expect(feed.link.state).toBe("open");

    link.freeze();
    await pass(clock, 10_000);
    expect(feed.link.state).toMatch(/connecting$/);
    await pass(clock, 290_000);
    expect(feed.isCurrent).toBe(false);
    expect(feed.writing).toEqual([ada.client.agentId]);
    expect(shown(feed)).toEqual(["take your time", "well,  (growing)"]);
    ada.show("this is ");
    ada.finish("well, this is it");
    await until(async () => (await network.texts(channelId)).length === 2);
    await ada.client.send({
      channel_id: channelId,
      event_type: EV_TEXT,
      event_data: { text: "P.S." },
    });

    link.thaw();
    await until(async () => {
      await pass(clock, 1_000);
      return feed.isCurrent && shown(feed).length === 3;
    });
    expect(feed.link.state).toBe("open");
    expect(shown(feed)).toEqual(["take your time", "well, this is it", "P.S."]);
    expect(ada.asked).toBe(1);
  });

  it("goes on over a restart of the hub, with the answer that was growing", async () => {
    await using network = await startTestNetwork({
      transport,
      client: { reconnect: { baseMs: 5 } },
    });
    const ada = await writer(network, "ada");
    const hugo = await network.human("hugo");
    const { channelId } = await hugo.open({ type: "conversation", target: "ada" });
    using feed = await followChannel(hugo, channelId);
    await hugo.say(channelId, "go on");
    await until(() => ada.asked === 1);
    ada.show("one, ");
    await until(() => feed.writing.length === 1);
    await network.reopen();
    await until(() => feed.isCurrent && ada.client.hub.profile === "colloquy.v1");
    await until(() => {
      ada.show("two, ");
      return shown(feed).at(-1)?.includes("two, ");
    });
    expect(shown(feed)).toHaveLength(2);
    ada.finish("one, two, three");
    await until(() => feed.writing.length === 0);
    expect(shown(feed)).toEqual(["go on", "one, two, three"]);
    expect(ada.asked).toBe(1);
  });

  it("shows an answer as broken while nothing comes of it, as long as the link is up", async () => {
    await using network = await startTestNetwork({ transport });
    const clock = createFakeClock();
    const ada = await writer(network, "ada");
    const hugo = await network.human("hugo", { on: network.connect({ clock }) });
    const { channelId } = await hugo.open({ type: "conversation", target: "ada" });
    using feed = await followChannel(hugo, channelId, { quietMs: 5_000, clock });
    await hugo.say(channelId, "go on");
    await until(() => ada.asked === 1);
    ada.show("hm");
    await until(() => feed.writing.length === 1);
    await pass(clock, 5_000);
    expect(feed.entries.at(-1)).toMatchObject({ state: "broken", reason: "quiet" });
    ada.show(", yes");
    await until(() => feed.writing.length === 1);
    expect(shown(feed)).toEqual(["go on", "hm, yes (growing)"]);
  });

  it("lets a loop read its changes, and ends with the participant", async () => {
    await using network = await startTestNetwork({ transport });
    const logger = createRecordingLogger();
    const hugo = await network.human("hugo");
    const ann = await network.human("ann");
    const { channelId } = await ann.open({ type: "conversation", target: "hugo" });
    const feed = await followChannel(hugo, channelId, { last: 0, logger });
    feed.onChange(() => {
      throw new Error("broken screen");
    });
    const texts: string[] = [];
    const reading = (async () => {
      for await (const { text } of feed.changes()) texts.push(text);
    })();
    for (const text of ["1", "2", "3"]) await ann.say(channelId, text);
    await until(() => texts.length === 3);
    expect(texts).toEqual(["1", "2", "3"]);
    expect(logger.lines.some(({ fields }) => fields?.["error"] === "broken screen")).toBe(true);
    const left = feed.changes();
    await left.next();
    const waiting = feed.changes();
    for (let n = 0; n < 3; n += 1) await waiting.next();
    const pending = waiting.next();
    await waiting.return?.();
    expect(await pending).toMatchObject({ done: true });
    hugo.disconnect();
    await reading;
    expect(feed.isClosed).toBe(true);
    expect(feed.entries).toHaveLength(3);
    await expect(followChannel(hugo, channelId)).rejects.toMatchObject({
      code: "client/disconnected",
    });
  });

  it("is refused to whoever takes no part, on a connection of a member too", async () => {
    await using network = await startTestNetwork({ transport });
    const on = network.connect();
    const hugo = await network.human("hugo", { on });
    const stranger = await network.human("eve", { on });
    await network.human("ann");
    const { channelId } = await hugo.open({ type: "conversation", target: "ann" });
    await expect(followChannel(stranger, channelId)).rejects.toMatchObject({ code: "not_found" });
    await expect(followChannel(hugo, "nowhere")).rejects.toMatchObject({ code: "not_found" });
  });

  it("keeps an answer to what was for some from the others while it is written", async () => {
    await using network = await startTestNetwork({ transport });
    const on = network.connect();
    const ada = await writer(network, "ada");
    const [hugo, ann] = [await network.human("hugo", { on }), await network.human("ann", { on })];
    const { channelId } = await hugo.open({ type: "discussion", target: ["ada", "ann"] });
    using mine = await followChannel(hugo, channelId);
    using others = await followChannel(ann, channelId);
    await hugo.say(channelId, "between us", { audience: [ada.client.agentId] });
    await until(() => ada.asked === 1);
    ada.show("psst");
    await until(() => mine.writing.length === 1);
    expect(shown(others)).toEqual([]);
    ada.finish("for all of you");
    await until(() => shown(others).length === 1 && shown(mine).length === 2);
    expect(shown(others)).toEqual(["for all of you"]);
    expect(shown(mine)).toEqual(["between us", "for all of you"]);
  });

  it("shows nothing of an agent that does not stream, until it has answered", async () => {
    await using network = await startTestNetwork({ transport });
    await network.agent(
      "ada",
      (turn) => {
        turn.onDelta("hel");
        return "hello";
      },
      { stream: "off" },
    );
    const hugo = await network.human("hugo");
    const pieces: string[] = [];
    hugo.onDelta(({ text }) => pieces.push(text));
    const { channelId } = await hugo.open({ type: "conversation", target: "ada" });
    using feed = await followChannel(hugo, channelId);
    await hugo.say(channelId, "greet me");
    await until(() => shown(feed).includes("hello"));
    expect(pieces).toEqual([]);
  });
});
