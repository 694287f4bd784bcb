import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Clock } from "@colloquy/protocol";
import { CliError } from "../errors/cli-error.js";
import { CAST_NAMES, type CastName, CHAIR } from "./cast.js";
import { newsSchema, type Order } from "./messages.js";
import { type Latch, createLatch } from "./latch.js";

/** Deaths of one agent within {@link DEATHS_WITHIN_MS} after which it is given up. */
const MAX_DEATHS = 5;
const DEATHS_WITHIN_MS = 60_000;
/** Milliseconds until a dead agent is started again. */
const RESTART_MS = 250;
/** Milliseconds that an agent has to finish before it is killed. */
const END_MS = 3_000;

/** Something that befell an agent process. */
export interface CastEvent {
  readonly name: CastName;
  readonly pid: number;
  readonly event: "attached" | "died" | "restarted";
  /** How it died; empty otherwise. */
  readonly how: string;
}

/** The agent processes of a demonstration. */
export interface CastProcesses {
  /** Starts everybody; resolves when all take part. Rejects when one is given up. */
  start(): Promise<void>;
  /** Has the chair play a round; resolves when it has. Rejects when somebody is given up. */
  play(round: number): Promise<void>;
  /** Lets everybody finish and end; resolves when all are gone. */
  stop(): Promise<void>;
}

/** Input of {@link createCastProcesses}. */
export interface CastOptions {
  /** Address of the hub. */
  readonly url: string;
  /** Milliseconds that an agent waits before it answers. */
  readonly paceMs: number;
  readonly clock: Clock;
  onEvent(event: CastEvent): void;
  /** What an agent process wrote to its error stream. */
  onComplaint(name: CastName, text: string): void;
}

interface Member {
  readonly name: CastName;
  child: ChildProcess | null;
  /** Times of recent deaths, in epoch milliseconds. */
  deaths: number[];
  hasAttached: boolean;
}

/** Makes {@link CastProcesses}. Whoever dies is started again until the demonstration stops. */
export function createCastProcesses(options: CastOptions): CastProcesses {
  const { clock, onEvent } = options;
  const entry = fileURLToPath(new URL("./agent/main.js", import.meta.url));
  const members: Member[] = CAST_NAMES.map((name) => ({
    name,
    child: null,
    deaths: [],
    hasAttached: false,
  }));
  const everybody = createLatch();
  let round: { readonly number: number; readonly done: Latch } | null = null;
  let isStopping = false;

  const tell = ({ child }: Member, order: Order): void => {
    if (child?.connected === true) child.send(order, () => undefined);
  };
  const hear = (member: Member, message: unknown): void => {
    const news = newsSchema.parse(message);
    if (news.kind === "played") {
      if (round?.number === news.round) round.done.open();
      return;
    }
    const event = member.hasAttached ? "restarted" : "attached";
    member.hasAttached = true;
    onEvent({ name: member.name, pid: member.child?.pid ?? 0, event, how: "" });
    if (members.every(({ hasAttached }) => hasAttached)) everybody.open();
    if (member.name === CHAIR && round !== null) tell(member, { kind: "play", round: round.number });
  };
  const bury = (member: Member, pid: number, how: string): void => {
    member.child = null;
    if (isStopping) return;
    onEvent({ name: member.name, pid, event: "died", how });
    const now = clock.now();
    member.deaths = [...member.deaths.filter((at) => now - at < DEATHS_WITHIN_MS), now];
    if (member.deaths.length < MAX_DEATHS) {
      clock.setTimer(RESTART_MS, () => {
        if (!isStopping) launch(member);
      });
      return;
    }
    const lost = new CliError(`${member.name} died ${MAX_DEATHS} times within a minute.`, {
      remedy: "What it wrote to the error stream says why.",
    });
    everybody.fail(lost);
    round?.done.fail(lost);
  };
  const launch = (member: Member): void => {
    const { name } = member;
    const args = ["--url", options.url, "--name", name, "--pace", String(options.paceMs)];
    const child = fork(entry, args, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    member.child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => options.onComplaint(name, text));
    child.on("message", (message) => hear(member, message));
    child.on("error", (error) => options.onComplaint(name, error.message));
    child.once("exit", (code, signal) => bury(member, child.pid ?? 0, signal ?? `exit code ${code}`));
  };

  return {
    async start() {
      for (const member of members) launch(member);
      await everybody.opened;
    },
    async play(number) {
      round = { number, done: createLatch() };
      const chair = members.find(({ name }) => name === CHAIR);
      if (chair !== undefined) tell(chair, { kind: "play", round: number });
      await round.done.opened;
    },
    async stop() {
      isStopping = true;
      await Promise.all(members.map((member) => endMember(member, tell, clock)));
    },
  };
}

async function endMember(
  member: Member,
  tell: (member: Member, order: Order) => void,
  clock: Clock,
): Promise<void> {
  const { child } = member;
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  tell(member, { kind: "end" });
  const timer = clock.setTimer(END_MS, () => child.kill("SIGKILL"));
  await gone;
  timer.cancel();
}
