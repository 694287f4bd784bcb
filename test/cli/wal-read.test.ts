import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliOptions, runCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";
import { type ToldStory, tellStory } from "./tell-story.js";

let story: Story;
let told: ToldStory;
const read = (args: readonly string[], options?: CliOptions) =>
  runCli(["wal", "read", ...args, "--data", story.path], options);
const positions = async (...args: string[]): Promise<unknown[]> =>
  (await read([told.chat, "--json", ...args]))
    .values()
    .map((v) => Reflect.get(v as object, "position"));

beforeAll(async () => {
  story = await startStory();
  told = await tellStory(story);
});
afterAll(() => story[Symbol.asyncDispose]());

describe("colloquy wal read", () => {
  it("shows position, time, who to whom, type and text on one line each", async () => {
    const { code, lines } = await read([told.chat]);
    expect(code).toBe(0);
    expect(lines).toHaveLength(7);
    expect(lines[0]).toBe(
      "     1  2026-01-01 00:00:00.000Z  alice → bob  ag2.channel.invite  to conversation",
    );
    expect(lines[3]).toBe(
      "     4  2026-01-01 00:00:01.000Z  alice → all  ag2.msg.text  Hello Bob\\nsecond \\u{1b}[31mline",
    );
    expect(lines[4]).toBe(
      "     5  2026-01-01 00:00:02.000Z  bob → alice  ag2.msg.text  Only for you",
    );
  });

  it("gives machines the envelope as it was stored, with place and proof", async () => {
    const values = (await read([told.chat, "--json", "--last", "1"])).values();
    expect(values).toHaveLength(1);
    expect(values[0]).toMatchObject({
      row: 7,
      position: 7,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      content_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      envelope: { sender_id: told.bob, event_data: { text: "Fourth" }, priority: "normal" },
    });
  });

  it("selects by place, type and sender; --last and --limit count what passes", async () => {
    expect(await positions("--after", "5")).toEqual([6, 7]);
    expect(await positions("--last", "2")).toEqual([6, 7]);
    expect(await positions("--limit", "2")).toEqual([1, 2]);
    expect(await positions("--limit", "0")).toEqual([]);
    expect(await positions("--type", "ag2.msg.*")).toEqual([4, 5, 6, 7]);
    expect(await positions("--type", "ag2.channel.opened", "--type", "ag2.msg.*")).toHaveLength(5);
    expect(await positions("--from", "bob")).toEqual([2, 5, 7]);
    expect(await positions("--from", "bob", "--last", "2")).toEqual([5, 7]);
    expect(await positions("--from", "bob", "--limit", "2")).toEqual([2, 5]);
    expect(
      await positions("--after", "2", "--type", "ag2.msg.*", "--last", "3", "--limit", "1"),
    ).toEqual([5]);
  });

  it("shows whole contents with --full, line by line and harmless", async () => {
    const { lines } = await read([told.chat, "--full", "--after", "3", "--limit", "1"]);
    expect(lines).toEqual([
      "     4  2026-01-01 00:00:01.000Z  alice → all  ag2.msg.text",
      "        Hello Bob",
      "        second \\u{1b}[31mline",
    ]);
  });

  it("never lets content drive the terminal, in no form", async () => {
    for (const args of [[], ["--full"], ["--json"]]) {
      const { stdout } = await read([told.chat, ...args], { isTty: true, env: { NO_COLOR: "1" } });
      expect(stdout).not.toContain("\u001b");
    }
  });

  it("fits lines to the terminal and colours only there", async () => {
    const tty = await read([told.chat], { isTty: true, columns: 80, env: { NO_COLOR: "1" } });
    for (const line of tty.lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(tty.lines[3]).toBe(
      "     4  00:00:01  alice → all  ag2.msg.text  Hello Bob\\nsecond \\u{1b}[31mline",
    );
    const tiny = await read([told.chat], { isTty: true, columns: 30, env: { NO_COLOR: "1" } });
    for (const line of tiny.lines) expect(line.length).toBeLessThanOrEqual(30);
    const coloured = await read([told.chat], { isTty: true, columns: 80 });
    expect(coloured.stdout).toContain("\u001b[36malice\u001b[39m");
    expect((await read([told.chat])).stdout).not.toContain("\u001b");
  });

  it("finds a channel by the end of its id and says what else there is", async () => {
    const other = await read([told.chat.slice(0, 16)]);
    expect(other.code).toBe(0);
    expect(other.lines).toHaveLength(7);
    const { code, stderr } = await read(["nowhere"]);
    expect(code).toBe(1);
    expect(stderr).toContain('no channel is called "nowhere"');
    expect(stderr).toContain(`There is ${told.chat} (conversation, active)`);
    expect((await read(["1800"])).stderr).toContain('"1800" fits 3 channels');
  });

  it("refuses a sender who is nobody, and numbers that are none", async () => {
    const nobody = await read([told.chat, "--from", "dave"]);
    expect(nobody.code).toBe(1);
    expect(nobody.stderr).toContain("There is alice, bob, carol.");
    const wrong = await read([told.chat, "--last", "few"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("Give a whole number from 0 up.");
    expect((await read([])).code).toBe(2);
  });
});

it("reads the same after the hub has ended", async () => {
  await using ended = await startStory();
  const { chat } = await tellStory(ended);
  const args = ["wal", "read", chat, "--json", "--data", ended.path];
  const before = await runCli(args);
  await ended.end();
  expect((await runCli(args)).stdout).toBe(before.stdout);
});

it("shows agents that have left by the end of their id", async () => {
  await using left = await startStory();
  const { chat, bob } = await tellStory(left);
  await left.hub.unregister(bob);
  const byId = await runCli(["wal", "read", chat, "--from", bob, "--data", left.path]);
  expect(byId.lines).toHaveLength(3);
  expect(byId.lines.at(-1)).toContain(`…${bob.slice(-8)} → all`);
  const { lines } = await runCli(["wal", "read", chat, "--last", "2", "--data", left.path]);
  expect(lines[0]).toContain("participant.left");
  expect(lines[1]).toContain("too_few_participants");
});
