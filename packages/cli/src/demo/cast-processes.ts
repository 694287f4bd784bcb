import type { Clock } from "@colloquy/protocol";
import { CliError } from "../errors/cli-error.js";
import { CAST_NAMES, type CastName, CHAIR } from "./cast.js";
import { createLatch, type Latch } from "./latch.js";
import { createMemberProcess, MAX_DEATHS, type MemberProcess } from "./member-process.js";
import type { News } from "./messages.js";

/** Something that befell an agent process. */
export interface CastEvent {
  readonly name: CastName;
  readonly pid: number;
  readonly event: "attached" | "died" | "given_up" | "restarted";
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

/** Makes {@link CastProcesses}. Whoever dies is started again until the demonstration stops. */
export function createCastProcesses(options: CastOptions): CastProcesses {
  const { url, paceMs, clock, onEvent } = options;
  const everybody = createLatch();
  const arrived = new Set<CastName>();
  let current: { readonly round: number; readonly done: Latch } | null = null;

  const direct = (member: MemberProcess): void => {
    if (member.name !== CHAIR || current === null) return;
    member.tell({ kind: "play", round: current.round });
  };
  const hear = (member: MemberProcess, news: News): void => {
    if (news.kind === "played") {
      if (current?.round === news.round) current.done.open();
      return;
    }
    const { name, pid } = member;
    onEvent({ name, pid, event: arrived.has(name) ? "restarted" : "attached", how: "" });
    arrived.add(name);
    if (arrived.size === CAST_NAMES.length) everybody.open();
    direct(member);
  };
  const giveUp = (name: CastName): void => {
    const lost = new CliError(`${name} died ${MAX_DEATHS} times within a minute.`, {
      remedy: "What it wrote to the error stream says why.",
    });
    everybody.fail(lost);
    current?.done.fail(lost);
  };
  const members = CAST_NAMES.map((name) => {
    const member: MemberProcess = createMemberProcess({
      name,
      url,
      paceMs,
      clock,
      onNews: (news) => hear(member, news),
      onDeath({ pid, how, isFinal }) {
        onEvent({ name, pid, event: isFinal ? "given_up" : "died", how });
        if (isFinal) giveUp(name);
      },
      onComplaint: (text) => options.onComplaint(name, text),
    });
    return member;
  });

  return {
    async start() {
      for (const member of members) member.launch();
      await everybody.opened;
    },
    async play(round) {
      current = { round, done: createLatch() };
      for (const member of members) direct(member);
      await current.done.opened;
    },
    async stop() {
      await Promise.all(members.map((member) => member.end()));
    },
  };
}
