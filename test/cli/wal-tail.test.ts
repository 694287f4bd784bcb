import { createSystemClock } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningCli, runCli, startCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";
import { type ToldStory, tellStory } from "./tell-story.js";

let story: Story;
let told: ToldStory;

beforeAll(async () => {
  story = await startStory();
  told = await tellStory(story);
});
afterAll(() => story[Symbol.asyncDispose]());

/** Follows with real timers, since the data file has no fake clock. */
const tail = (...args: string[]): RunningCli =>
  startCli(["wal", "tail", "--interval", "1", "--data", story.path, ...args], {
    clock: createSystemClock(),
  });

describe("colloquy wal tail", () => {
  it("follows a channel while the hub writes, until a signal", async () => {
    const { terminal, done } = tail(told.chat, "--last", "1");
    await until(() => terminal.stdout.includes("Fourth"));
    await story.say(told.chat, told.alice, "fresh news");
    await until(() => terminal.stdout.includes("fresh news"));
    await story.say(told.talk, told.bob, "elsewhere");
    await story.say(told.chat, told.bob, "more news");
    await until(() => terminal.stdout.includes("more news"));
    terminal.signal("SIGINT");
    const { code, lines } = await done;
    expect(code).toBe(0);
    expect(lines.map((line) => line.replace(/^.*ag2\.msg\.text {2}/, ""))).toEqual([
      "Fourth",
      "fresh news",
      "more news",
    ]);
  });

  it("follows every channel, knows agents that are new, and says which channel", async () => {
    const { terminal, done } = tail("--last", "0");
    await until(() => terminal.listening);
    const dora = await story.register("dora");
    const side = await story.open(dora, [told.alice], "conversation");
    await story.say(side, dora, "hello from dora");
    await until(() => terminal.stdout.includes("hello from dora"));
    terminal.signal("SIGTERM");
    const { code, lines } = await done;
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatch(
      new RegExp(`^…${side.slice(-8)} +4 .*dora → all {2}ag2.msg.text {2}hello from dora$`),
    );
  });

  it("begins at an instant", async () => {
    const { clock } = story;
    clock.advance(3_600_000);
    const mark = new Date(clock.now()).toISOString();
    await story.say(told.chat, told.alice, "after the mark");
    for (const args of [[told.chat], []]) {
      const running = tail(...args, "--since", mark, "--json");
      await until(() => running.terminal.stdout.includes("after the mark"));
      running.terminal.signal("SIGINT");
      const values = (await running.done).values();
      expect(values).toHaveLength(1);
      expect(values[0]).toMatchObject({ envelope: { event_data: { text: "after the mark" } } });
    }
  });

  it("counts a duration back from now", async () => {
    const running = startCli(
      ["wal", "tail", told.chat, "--since", "1s", "--json", "--data", story.path],
      { clock: story.clock },
    );
    await until(() => running.terminal.stdout.includes("after the mark"));
    running.terminal.signal("SIGINT");
    expect((await running.done).values()).toHaveLength(1);
  });

  it("refuses a time that is none", async () => {
    const { code, stderr } = await runCli(["wal", "tail", "--since", "noon"]);
    expect(code).toBe(2);
    expect(stderr).toContain("such as 10m or 2h");
  });
});
