import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import { EMPTY_BATCH } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { until } from "@colloquy/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";
import { type ToldStory, tellStory } from "./tell-story.js";

let folder: string;
let story: Story;
let told: ToldStory;
let file: string;
let target: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "colloquy-import-"));
  file = join(folder, "log.jsonl");
  target = join(folder, "new", "hub.db");
  story = await startStory();
  told = await tellStory(story);
});
afterEach(async () => {
  await story[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const exportTo = (...args: string[]) =>
  runCli(["wal", "export", "--data", story.path, "--out", file, ...args]);
const importInto = (data = target, ...args: string[]) =>
  runCli(["wal", "import", file, "--data", data, ...args]);
const linesOf = (path = file): string[] => readFileSync(path, "utf8").trimEnd().split("\n");
const edit = (change: (lines: string[]) => string[]): void =>
  writeFileSync(file, `${change(linesOf()).join("\n")}\n`);

describe("colloquy wal export", () => {
  it("writes a header, agents, channels, envelopes in global order, and an end that counts", async () => {
    const { code, stderr } = await exportTo();
    expect(code).toBe(0);
    expect(stderr).toContain(`lines to ${file}`);
    const lines = linesOf().map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ format: "colloquy-wal", version: 1 });
    const rows = lines.filter(({ kind }) => kind === "envelope").map(({ row }) => row);
    expect(rows).toEqual(Array.from({ length: 19 }, (_, at) => at + 1));
    expect(lines.at(-1)).toMatchObject({ kind: "end", agents: 3, channels: 3, envelopes: 19 });
  });

  it("writes to the standard output, one channel alone, safe to look at", async () => {
    const { code, stdout, values } = await runCli([
      ...["wal", "export", "--data", story.path, "--channel", told.chat],
    ]);
    expect(code).toBe(0);
    expect(stdout).not.toContain("\u001b");
    const kinds = values().map((value) => Reflect.get(value as object, "kind"));
    expect(kinds.filter((kind) => kind === "envelope")).toHaveLength(7);
    expect(values().at(-1)).toMatchObject({ agents: 2, channels: 1, envelopes: 7 });
  });

  it("leaves a file alone that is there already, and no half of one", async () => {
    writeFileSync(file, "mine");
    const { code, stderr } = await exportTo();
    expect(code).toBe(1);
    expect(stderr).toContain("exists already and is left as it is");
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(readdirSync(folder)).toEqual(["log.jsonl"]);
  });

  it("gives one state of all channels while the hub opens and closes them", async () => {
    let stop = false;
    const write = async (): Promise<void> => {
      while (!stop) {
        const ask = await story.open(told.alice, [told.bob], "consulting");
        await story.say(ask, told.alice, "Question?");
        await story.say(ask, told.bob, "Answer!");
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const written = write();
    const { code } = await exportTo();
    stop = true;
    await written;
    expect(code).toBe(0);
    expect((await importInto()).code).toBe(0);
    expect((await runCli(["wal", "verify", "--data", target])).code).toBe(0);
  });
});

describe("colloquy wal import", () => {
  it("brings everything back into a new file, which verifies and runs a hub", async () => {
    await exportTo();
    const { code, stdout } = await importInto();
    expect(code).toBe(0);
    expect(stdout).toBe(`imported 3 channels, 19 envelopes and 3 agents into ${target}\n`);
    expect(readdirSync(join(folder, "new"))).toEqual(["hub.db"]);
    const dump = async (data: string) => [
      (await runCli(["wal", "list", "--json", "--data", data])).stdout,
      (await runCli(["wal", "read", told.chat, "--json", "--data", data])).stdout,
      (await runCli(["wal", "verify", "--data", data])).stdout,
      (await runCli(["replay", told.talk, "--as", "carol", "--data", data])).stdout,
    ];
    const original = await dump(story.path);
    const copy = await dump(target);
    expect(copy.slice(0, 3)).toEqual(original.slice(0, 3));
    expect(copy[3]?.split("\n\n").slice(1)).toEqual(original[3]?.split("\n\n").slice(1));

    await using hub = {
      ...{
        it: await openHub({
          store: await openSqliteStore({ path: target }),
          adapters: createDefaultAdapters(),
        }),
      },
      [Symbol.asyncDispose]: () => hub.it.close(),
    };
    expect(hub.it.health()).toMatchObject({
      status: "ok",
      active_channels: 2,
      registered_agents: 3,
    });
    await hub.it.postEnvelope({
      ...{ channel_id: told.chat, sender_id: told.alice },
      ...{ event_type: "ag2.msg.text", event_data: { text: "here again" } },
    });
    expect((await hub.it.getChannel(told.ask)).state).toBe("closed");
  });

  it("keeps what everybody has settled", async () => {
    await exportTo();
    await importInto();
    const settled = async (path: string) => {
      const store = await openSqliteStore({ path, readonly: true });
      const records = await store.readDeliveries(told.alice);
      await store.close();
      return records;
    };
    const before = await settled(story.path);
    expect(before.length).toBeGreaterThan(0);
    expect(await settled(target)).toEqual(before);
  });

  it("goes into a store that is there when its channels are new and its envelopes newer", async () => {
    await exportTo();
    await importInto();
    const later = await startStory({ seed: 1 });
    try {
      const eve = await later.register("eve");
      const fred = await later.register("fred");
      for (let at = 0; at < 40; at += 1) await later.register(`filler ${at}`);
      const side = await later.open(eve, [fred], "conversation");
      await later.say(side, eve, "another hub");
      rmSync(file);
      await runCli(["wal", "export", "--data", later.path, "--out", file]);
    } finally {
      await later[Symbol.asyncDispose]();
    }
    const { code, values } = await importInto(target, "--json");
    expect(code).toBe(0);
    expect(values()).toEqual([{ data: target, agents: 2, channels: 1, envelopes: 4 }]);
    expect((await runCli(["wal", "verify", "--data", target])).stdout).toBe(
      "verified: 4 channels, 23 envelopes\n",
    );
    const again = await importInto();
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/holds channel [0-9a-f]+ already\.\nImport into a new file/);
  });

  it("refuses a store that knows more than the export's beginning", async () => {
    await exportTo();
    const other = await startStory({ seed: 2 });
    try {
      const eve = await other.register("eve");
      const fred = await other.register("fred");
      await other.say(await other.open(eve, [fred], "conversation"), eve, "mine");
      await other.end();
      const { code, stderr } = await importInto(other.path);
      expect(code).toBe(1);
      expect(stderr).toContain("holds envelopes newer than the oldest of the export");
      expect((await runCli(["wal", "verify", "--data", other.path])).code).toBe(0);
    } finally {
      await other[Symbol.asyncDispose]();
    }
  });

  it("refuses a store that a hub holds", async () => {
    await exportTo();
    const { code, stderr } = await importInto(story.path);
    expect(code).toBe(1);
    expect(stderr).toContain("is held by process");
  });

  const damages: [string, (lines: string[]) => string[], RegExp][] = [
    ["a text that was changed", (l) => l.map((x) => x.replace("Third", "Turd")), /\(content\)/],
    ["an envelope that is gone", (l) => l.filter((x) => !x.includes("Third")), /\(h(ole|ash)\)/],
    ["lines that were swapped", swapEnvelopes, /does not sort above|\(hole\)/],
    ["a file that was cut off", (l) => l.slice(0, -1), /ends early, behind line \d+/],
    [
      "half a line",
      (l) => [...l.slice(0, -1), (l.at(-1) ?? "").slice(0, 20)],
      /line \d+ is no JSON/,
    ],
    [
      "a field of another name",
      (l) => l.map((x) => x.replace('"hash":', '"hush":')),
      /line \d+ is no line of an export: the line, field hash: received missing\..*[^.]\.\n/,
    ],
    [
      "a channel that is gone",
      (l) => l.filter((x) => !/"kind":"channel".*discussion/.test(x)),
      /which no line before it holds/,
    ],
    [
      "an agent that is gone",
      (l) => l.filter((x) => !/"kind":"agent".*carol/.test(x)),
      /holds 2 agents, its end counts 3/,
    ],
    [
      "an agent with a name that a reader would mistake",
      (l) => l.map((x) => x.replace('"name":"carol"', '"name":"system"')),
      /line \d+: agent [0-9a-f]{32} has a name that nobody may have/,
    ],
    [
      "an agent with a name that drives terminals",
      (l) => l.map((x) => x.replace('"name":"carol"', '"name":"\\u001b[2Jcarol"')),
      /has a name that nobody may have/,
    ],
    [
      "two agents with names that look alike",
      (l) => l.map((x) => x.replace('"name":"carol"', '"name":"Bob"')),
      /is named as agent [0-9a-f]{32} is, or nearly so/,
    ],
    [
      "a channel with an id that drives terminals, and shows it as text",
      (l) => l.map((x) => x.replace(/("kind":"delivery".*"channel_id":")/, "$1\\u001b[2J")),
      /line \d+ is of channel \\u\{1b\}\[2J[0-9a-f]+, which no line before it holds/,
    ],
    ["another file", () => ['{"hello": "world"}'], /is no export: its first line/],
    ["an empty file", () => [], /is no export|ends early/],
    ["lines behind the end", (l) => [...l, ...l.slice(-1)], /stands behind the end/],
    [
      "a newer format",
      (l) => [(l[0] ?? "").replace('"version":1', '"version":2'), ...l.slice(1)],
      /has version 2 of the format/,
    ],
  ];
  it.each(damages)("refuses %s and writes nothing", async (_what, damage, expected) => {
    await exportTo();
    edit(damage);
    const { code, stderr } = await importInto();
    expect(code).toBe(1);
    expect(stderr).toMatch(expected);
    expect(existsSync(target)).toBe(false);
  });

  it("leaves alone what a hub has put at its place meanwhile", async () => {
    await exportTo();
    const importing = importInto();
    await until(() => existsSync(`${target}.importing`));
    const store = await openSqliteStore({ path: target });
    await store.commit({
      ...EMPTY_BATCH,
      records: [{ kind: "skill", id: "mine", value: "not lost" }],
    });
    const { code, stderr } = await importing;
    await store.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`${target} exists already and is left as it is`);
    const again = await openSqliteStore({ path: target, readonly: true });
    expect(await again.readRecord("skill", "mine")).toBe("not lost");
    await again.close();
    expect(readdirSync(join(folder, "new")).filter((name) => name.includes(".importing"))).toEqual(
      [],
    );
  });

  it("refuses a place beside which a log of a lost store lies", async () => {
    await exportTo();
    mkdirSync(join(folder, "new"));
    writeFileSync(`${target}-wal`, "what was acknowledged");
    const { code, stderr } = await importInto();
    expect(code).toBe(1);
    expect(stderr).toContain(`its log ${target}-wal holds 21 bytes`);
    expect(readdirSync(join(folder, "new"))).toEqual(["hub.db-wal"]);
  });

  it("refuses a file that is not there", async () => {
    const { code, stderr } = await importInto();
    expect(code).toBe(1);
    expect(stderr).toContain("cannot be read (ENOENT)");
  });
});

function swapEnvelopes(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.includes('"kind":"envelope"'));
  const swapped = [...lines];
  [swapped[first], swapped[first + 1]] = [lines[first + 1] ?? "", lines[first] ?? ""];
  return swapped;
}
