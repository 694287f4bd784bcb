import { createDefaultAdapters } from "@colloquy/adapters";
import type { HubListener } from "@colloquy/hub";
import { openHub } from "@colloquy/hub";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { createFakeClock, dumpStore } from "@colloquy/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";
import { tamper } from "./tamper.js";
import { type ToldStory, tellStory } from "./tell-story.js";

let story: Story;
let told: ToldStory;
const replay = (...args: string[]) => runCli(["replay", ...args, "--data", story.path]);
const value = async (...args: string[]) => (await replay(...args, "--json")).values()[0];

beforeAll(async () => {
  story = await startStory();
  told = await tellStory(story);
});
afterAll(() => story[Symbol.asyncDispose]());

describe("colloquy replay", () => {
  it("shows the state that the hub has, and whose turn it is", async () => {
    const live = await story.hub.adapterState(told.talk);
    expect(await value(told.talk)).toMatchObject({
      channel_id: told.talk,
      replayed: { from: 1, to: 6 },
      head: 6,
      state: live.state,
      next: { agent_id: told.bob },
    });
    const { code, lines } = await replay(told.talk);
    expect(code).toBe(0);
    expect(lines.slice(0, 3)).toEqual([
      `channel   ${told.talk} (discussion)`,
      "replayed  positions 1 to 6 of 6; nothing was sent or written",
      "next      bob",
    ]);
    expect(JSON.parse(lines.slice(lines.indexOf("")).join("\n"))).toEqual(live.state);
  });

  it("stops at any position", async () => {
    expect(await value(told.ask, "--at", "4")).toMatchObject({
      replayed: { from: 1, to: 4 },
      state: { initiator_sent: true, respondent_replied: false },
      next: { agent_id: told.bob },
    });
    expect(await value(told.ask, "--at", "0")).toMatchObject({
      replayed: { from: 0, to: 0 },
      state: { initiator_sent: false },
    });
    const beyond = await replay(told.ask, "--at", "99");
    expect(beyond.stdout).toContain("positions 1 to 6 of 6");
    expect(beyond.stderr).toBe("the channel ends at position 6; that is where the replay stops\n");
  });

  it("shows what a participant's model would get, as the hub hands it out", async () => {
    const turn = (await value(told.chat, "--at", "6", "--as", "bob")) as Record<string, unknown>;
    expect(turn).toMatchObject({
      agent_id: told.bob,
      view: { name: "windowed_summary" },
      messages: [
        { role: "user", content: "Hello Bob\nsecond \u001b[31mline" },
        { role: "assistant", content: "Only for you" },
      ],
      input: "Third",
    });
    expect(turn).not.toHaveProperty("state");
    const [envelope] = await story.hub.readWal(told.chat, 5, 6);
    const prepared = await story.hub.prepareTurn({
      ...{ channel_id: told.chat, agent_id: told.bob },
      ...{ envelope_id: envelope?.envelope_id ?? "", last: 10 },
    });
    expect(prepared.slice.envelopes.map(({ event_data }) => event_data["text"])).toEqual(
      (turn["messages"] as { content: string }[]).map(({ content }) => content),
    );
  });

  it("hides what the participant may not see", async () => {
    const { stdout } = await replay(told.talk, "--as", "carol");
    expect(stdout).toContain("Welcome, all");
    const [talk] = (await replay(told.chat, "--as", "alice", "--json")).values();
    expect(JSON.stringify(talk)).toContain("Only for you");
    await story.say(told.talk, told.bob, "a whisper", { audience: [told.alice] });
    expect((await replay(told.talk, "--as", "carol")).stdout).not.toContain("a whisper");
    expect((await replay(told.talk, "--as", "alice")).stdout).toContain("a whisper");
  });

  it("takes another view with arguments", async () => {
    const args = ["--as", "alice", "--view", "windowed_summary", "--view-args", '{"recent_n": 1}'];
    const windowed = (await value(told.chat, ...args)) as { messages: { event_count?: number }[] };
    expect(windowed.messages[0]).toMatchObject({ role: "compaction_summary", event_count: 2 });
    const named = await replay(told.chat, "--as", "alice", "--view", "named_transcript");
    expect(named.stdout).toContain("[bob]");
  });

  it("shows contents line by line, and none of them drives the terminal", async () => {
    const { stdout } = await replay(told.chat, "--as", "bob");
    expect(stdout).toContain("user\n  Hello Bob\n  second \\u{1b}[31mline\n");
    expect((await replay(told.chat, "--as", "bob", "--json")).stdout).not.toContain("\u001b");
  });

  it("refuses wrong calls in one sentence with a remedy", async () => {
    const noAgent = await replay(told.chat, "--view", "full_transcript");
    expect(noAgent).toMatchObject({ code: 2 });
    expect(noAgent.stderr).toContain("Name the participant with --as.");
    const stranger = await replay(told.chat, "--as", "carol");
    expect(stranger.code).toBe(1);
    expect(stranger.stderr).toContain("Its participants are alice, bob.");
    const noView = await replay(told.chat, "--as", "bob", "--view", "sideways");
    expect(noView.code).toBe(2);
    expect(noView.stderr).toContain("known views: full_transcript");
    const noArgs = await replay(told.chat, "--as", "bob", "--view-args", "[1]");
    expect(noArgs.code).toBe(2);
    expect(noArgs.stderr).toContain("no JSON object");
    const wrongArgs = ["--view", "windowed_summary", "--view-args", '{"recent": 1}'];
    expect((await replay(told.chat, "--as", "bob", ...wrongArgs)).code).toBe(2);
    expect((await replay("nowhere")).code).toBe(1);
  });
});

it("says that it is nobody's turn once a channel is over, and whose it was before", async () => {
  await using over = await startStory();
  const { talk, bob } = await tellStory(over);
  await over.hub.closeChannel(talk, "enough");
  const nextAt = async (...args: string[]): Promise<unknown> => {
    const run = await runCli(["replay", talk, "--data", over.path, "--json", ...args]);
    return (run.values()[0] as { next: unknown }).next;
  };
  expect(await nextAt()).toBeNull();
  expect(await nextAt("--at", "6")).toMatchObject({ agent_id: bob });
});

it("F-151 replays without a trace: no envelope, delivery, notice, timer or turn, now or after a restart", async () => {
  await using old = await startStory();
  const { ask, chat, talk } = await tellStory(old);
  const notices: string[] = [];
  const watch: HubListener = {
    onEnvelopePosted: ({ event_type }) => void notices.push(event_type),
    onChannelEvent: (_id, kind) => void notices.push(kind),
    onTurnFailed: () => void notices.push("turn"),
    onDispatchFailed: () => void notices.push("dispatch"),
  };
  old.hub.addListener(watch);
  const dump = async () => {
    const store = await openSqliteStore({ path: old.path, readonly: true });
    const content = await dumpStore(store);
    await store.close();
    return content;
  };
  const replayAll = async (): Promise<void> => {
    for (const [channel, end] of [
      [ask, 6],
      [chat, 7],
      [talk, 6],
    ] as const) {
      for (const args of [
        [],
        ["--at", "4"],
        ["--as", "bob"],
        ["--as", "bob", "--view", "named_transcript"],
      ]) {
        const { code, stdout } = await runCli(["replay", channel, ...args, "--data", old.path]);
        expect(code).toBe(0);
        expect(stdout).toContain(`positions 1 to ${args.includes("--at") ? 4 : end} of ${end}`);
      }
    }
  };
  const before = await dump();
  const timers = old.clock.pendingTimers;
  const pending = old.hub.health().pending_inbox_total;
  await replayAll();
  expect(await dump()).toEqual(before);
  expect(notices).toEqual([]);
  expect(old.clock.pendingTimers).toBe(timers);
  expect(old.hub.health().pending_inbox_total).toBe(pending);

  await old.end();
  const ended = await dump();
  await replayAll();
  expect(await dump()).toEqual(ended);
  const clock = createFakeClock(old.clock.now());
  const again = await openHub({
    store: await openSqliteStore({ path: old.path }),
    ...{ adapters: createDefaultAdapters(), clock, listeners: [watch] },
  });
  const pendingAgain = again.health().pending_inbox_total;
  const timersAgain = clock.pendingTimers;
  await replayAll();
  expect(notices).toEqual([]);
  expect(again.health().pending_inbox_total).toBe(pendingAgain);
  expect(clock.pendingTimers).toBe(timersAgain);
  await again.close();
  const { deliveries: acks, ...rest } = await dump();
  const { deliveries: acksBefore, ...restBefore } = ended;
  expect(acks).toEqual(acksBefore);
  expect(rest).toEqual(restBefore);
});

it("says when a snapshot is what a fold gives", async () => {
  await using sound = await startStory();
  const { chat } = await tellStory(sound);
  await sound.end();
  const { code, stdout } = await runCli(["replay", chat, "--data", sound.path]);
  expect(code).toBe(0);
  expect(stdout).toContain("snapshot  of position 7 is the same");
});

it("says when a snapshot is not what a fold gives, and fails", async () => {
  await using wrong = await startStory();
  const { chat } = await tellStory(wrong);
  await wrong.end();
  tamper(
    wrong.path,
    "UPDATE snapshot SET state = replace(state, '\"turn_count\":4', '\"turn_count\":9')",
  );
  const { code, stdout } = await runCli(["replay", chat, "--data", wrong.path]);
  expect(code).toBe(1);
  expect(stdout).toContain("snapshot  of position 7 DIFFERS");
});

it("says where a channel cannot be folded, and replays what stands before", async () => {
  await using wrong = await startStory();
  const { chat } = await tellStory(wrong);
  await wrong.end();
  tamper(wrong.path, "UPDATE envelope SET body = 'nonsense' WHERE n = 6");
  const { code, stderr } = await runCli(["replay", chat, "--data", wrong.path]);
  expect(code).toBe(1);
  expect(stderr).toContain("cannot be folded past position 5: its body is no envelope");
  expect((await runCli(["replay", chat, "--at", "5", "--data", wrong.path])).code).toBe(0);
});

it("says that a type which is not built in cannot be folded", async () => {
  await using strange = await startStory();
  const { chat } = await tellStory(strange);
  await strange.end();
  const sql = "UPDATE channel SET metadata = replace(metadata, ?, ?) WHERE id = ?";
  tamper(strange.path, sql, '"type":"conversation"', '"type":"auction"', chat);
  const { code, stderr } = await runCli(["replay", chat, "--data", strange.path]);
  expect(code).toBe(1);
  expect(stderr).toContain("type auction version 1 is not built in");
});
