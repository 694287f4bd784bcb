import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createSystemClock } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { makeTempFolder, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";

const COLLOQUY = fileURLToPath(new URL("../packages/cli/bin/colloquy.js", import.meta.url));

interface Line {
  readonly hub?: { readonly url: string; readonly round: number };
  readonly agent?: { readonly name: string; readonly pid: number; readonly event: string };
  readonly envelope?: {
    readonly position: number;
    readonly channel_id: string;
    readonly channel_type: string;
    readonly speaker: string;
    readonly text: string;
  };
  readonly round?: {
    readonly round: number;
    readonly ok: boolean;
    readonly channels: readonly { readonly type: string; readonly close_reason: string }[];
    readonly commands: readonly string[];
  };
}

/** Runs the built command; gives its JSON lines as they come, and its end. */
function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [COLLOQUY, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const lines: Line[] = [];
  let complaints = "";
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(JSON.parse(line)));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const waitFor = <T>(pick: (line: Line) => T | undefined | false): Promise<T> =>
    until(() => lines.map(pick).find((found) => found) ?? null, {
      timeoutMs: 15_000,
      describe: () => `a line of ${args.join(" ")}; error stream: ${complaints}`,
    }) as Promise<T>;
  return { child, lines, ended, waitFor, complaints: () => complaints };
}

const playDemo = (data: string, ...more: readonly string[]) =>
  start("demo", "--json", "--port", "0", "--pace", "0", "--data", data, ...more);

const ENDS = [
  { type: "consulting", close_reason: "consulting_complete" },
  { type: "conversation", close_reason: "max_turns" },
  { type: "discussion", close_reason: "max_turns" },
  { type: "workflow", close_reason: "plan_agreed" },
];

/** True while a process with this id exists. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function identitiesIn(path: string): Promise<number> {
  const store = await openSqliteStore({ path, readonly: true, clock: createSystemClock() });
  try {
    return (await store.listRecords("agent")).length;
  } finally {
    await store.close();
  }
}

describe("colloquy demo", () => {
  it("holds one channel of each type, ends them as it should, and goes on with a new round", async () => {
    using folder = makeTempFolder();
    const data = folder.at("inside", "hub.db");
    for (const number of [1, 2]) {
      const demo = playDemo(data, "--once");
      expect(await demo.ended, demo.complaints()).toBe(0);
      const { round, ok, channels } = await demo.waitFor((line) => line.round);
      expect([round, ok]).toEqual([number, true]);
      expect(channels).toMatchObject(ENDS);
      expect(demo.lines.filter(({ agent }) => agent?.event === "attached")).toHaveLength(4);
      expect(positionsAreWhole(demo.lines)).toBe(true);
    }
    expect(await identitiesIn(data)).toBe(4);
    const verify = start("wal", "verify", "--json", "--data", data);
    expect(await verify.ended, verify.complaints()).toBe(0);
    expect(verify.lines).toEqual([
      { summary: expect.objectContaining({ ok: true, channels: 8, findings: 0 }) },
    ]);
  }, 40_000);

  it("stays up after its round until SIGINT, then ends every process and exits with 0", async () => {
    using folder = makeTempFolder();
    const demo = playDemo(folder.at("hub.db"));
    const { commands } = await demo.waitFor((line) => line.round);
    expect(commands.join("\n")).toContain("join-the-demo");
    const pids = demo.lines.flatMap(({ agent }) => (agent ? [agent.pid] : []));
    expect(pids).toHaveLength(4);
    expect(pids.every(isAlive)).toBe(true);
    demo.child.kill("SIGINT");
    expect(await demo.ended, demo.complaints()).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  }, 30_000);

  it("ends in the middle of a round on SIGINT, and finishes that round next time", async () => {
    using folder = makeTempFolder();
    const data = folder.at("hub.db");
    const demo = playDemo(data, "--pace", "40");
    await demo.waitFor(({ envelope }) => envelope?.channel_type === "discussion");
    demo.child.kill("SIGINT");
    expect(await demo.ended, demo.complaints()).toBe(0);
    expect(demo.lines.some(({ round }) => round)).toBe(false);
    const again = playDemo(data, "--once");
    expect(await again.ended, again.complaints()).toBe(0);
    const { round, ok, channels } = await again.waitFor((line) => line.round);
    expect([round, ok]).toEqual([1, true]);
    expect(channels).toMatchObject(ENDS);
  }, 30_000);

  it("starts an agent again that was killed, and the round ends all the same", async () => {
    using folder = makeTempFolder();
    const demo = playDemo(folder.at("hub.db"), "--once", "--pace", "30");
    const chiara = await demo.waitFor(({ agent }) => agent?.name === "Chiara" && agent);
    await demo.waitFor(({ envelope }) => envelope?.channel_type === "conversation");
    process.kill(chiara.pid, "SIGKILL");
    expect(await demo.ended, demo.complaints()).toBe(0);
    const events = demo.lines.flatMap(({ agent }) => (agent?.name === "Chiara" ? [agent] : []));
    expect(events.map(({ event }) => event)).toEqual(["attached", "died", "restarted"]);
    expect((await demo.waitFor((line) => line.round)).ok).toBe(true);
    const said = demo.lines.flatMap(({ envelope }) => (envelope ? [envelope.text] : []));
    const sentences = said.filter((text) => text.length > 20);
    expect(new Set(sentences).size).toBe(sentences.length);
  }, 30_000);

  it("gives up on an agent that dies again and again, says so, and ends with 1", async () => {
    using folder = makeTempFolder();
    const demo = playDemo(folder.at("hub.db"), "--pace", "1000");
    const killed = new Set<number>();
    for (let death = 1; death <= 5; death += 1) {
      const pid = await demo.waitFor(
        ({ agent }) =>
          agent?.name === "Dag" && agent.event !== "died" && !killed.has(agent.pid) && agent.pid,
      );
      killed.add(pid);
      process.kill(pid, "SIGKILL");
    }
    expect(await demo.ended).toBe(1);
    expect(demo.complaints()).toContain("Dag died 5 times within a minute.");
    const events = demo.lines.flatMap(({ agent }) => (agent?.name === "Dag" ? [agent.event] : []));
    expect(events.at(-1)).toBe("given_up");
    expect(demo.lines.some(({ round }) => round)).toBe(false);
  }, 60_000);
});

/** Every channel's lines count from 1 without holes. */
function positionsAreWhole(lines: readonly Line[]): boolean {
  const next = new Map<string, number>();
  return lines.every(({ envelope }) => {
    if (envelope === undefined) return true;
    const expected = next.get(envelope.channel_id) ?? 1;
    next.set(envelope.channel_id, expected + 1);
    return envelope.position === expected;
  });
}
