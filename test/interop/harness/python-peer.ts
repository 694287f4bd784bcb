import { fileURLToPath } from "node:url";
import type { ChannelMetadata, Envelope } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { startProcess } from "./line-process.js";
import { PYTHON } from "./prepare-python.js";
import {
  createPythonMember,
  type MemberSettings,
  type PythonAgent,
  type PythonMember,
} from "./python-member.js";

const PROGRAM = fileURLToPath(new URL("../python/peer.py", import.meta.url));

/** A command that AG2 answered with an exception. */
class PythonError extends Error {
  /** Name of the exception's class. */
  readonly type: string;
  constructor(type: string, message: string) {
    super(message);
    this.name = "PythonError";
    this.type = type;
  }
}

/** States of a channel as AG2 folds them: before the first envelope, and after each. */
export type PythonStates = readonly Readonly<Record<string, unknown>>[];

/** A Python process with AG2's clients in it. */
export interface PythonPeer extends AsyncDisposable {
  /** Runs one command of the program; rejects with the name and words of the exception. */
  command(name: string, args?: Record<string, unknown>): Promise<unknown>;
  /** A connection more; one that keeps comes back after a break, and attaches its agents again. */
  connect(name: string, options?: { readonly keeps?: boolean }): Promise<void>;
  /** Ends a connection as a lost network does. */
  cut(name?: string): Promise<void>;
  /** How often a connection has ended, and how often it has come back. */
  readonly ends: number;
  readonly returns: number;
  agent(name: string, settings?: MemberSettings): Promise<PythonAgent>;
  human(name: string, settings?: MemberSettings): Promise<PythonMember>;
  /** Binds a registered name again; what it has not settled comes. */
  attach(name: string, settings?: MemberSettings): Promise<PythonAgent>;
  /** A verb of AG2's `HubClient`, by its Python name. */
  call(method: string, args?: Record<string, unknown>): Promise<unknown>;
  wal(channelId: string): Promise<readonly Envelope[]>;
  channel(channelId: string): Promise<ChannelMetadata>;
  /** Folds a channel with AG2's own adapter. */
  fold(channelId: string): Promise<PythonStates>;
  /** All that has come, oldest first. */
  readonly notified: readonly { readonly to: string; readonly envelope: Envelope }[];
  /** What its error stream says. */
  readonly errors: string;
  kill(): Promise<void>;
}

/** Starts a Python process, with one connection named `main` to the hub. */
export async function startPythonPeer(
  url: string,
  options: { readonly keeps?: boolean } = {},
): Promise<PythonPeer> {
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  const notified: { to: string; envelope: Envelope }[] = [];
  const counts = { end: 0, back: 0 };
  let commands = 0;
  const program = startProcess(PYTHON, [PROGRAM], (line) => {
    if (line["event"] === "envelope") {
      notified.push({ to: String(line["to"]), envelope: line["envelope"] as Envelope });
    } else if (line["event"] === "end") counts.end += 1;
    else if (line["event"] === "back") counts.back += 1;
    else waiting.get(Number(line["id"]))?.(line);
  });

  const peer: PythonPeer = {
    async command(name, args = {}) {
      commands += 1;
      const id = commands;
      const answered = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
      program.send({ id, command: name, args });
      const answer = await answered;
      waiting.delete(id);
      if (answer["ok"] === true) return answer["result"];
      throw new PythonError(String(answer["error"]), String(answer["message"]));
    },
    async connect(name, { keeps = false } = {}) {
      await peer.command("connect", { name, url, keeps });
    },
    async cut(name = "main") {
      const before = counts.end;
      await peer.command("cut", { name });
      await until(() => counts.end > before, { describe: `the end of connection ${name}` });
    },
    get ends() {
      return counts.end;
    },
    get returns() {
      return counts.back;
    },
    agent: (name, settings) => createPythonMember(peer, "register", name, settings),
    human: (name, settings) => createPythonMember(peer, "register_human", name, settings),
    attach: (name, settings) => createPythonMember(peer, "attach", name, settings),
    call: (method, args = {}) => peer.command("call", { connection: "main", method, args }),
    wal: async (channel_id) => (await peer.call("read_wal", { channel_id })) as Envelope[],
    channel: async (channel_id) =>
      (await peer.call("get_channel", { channel_id })) as ChannelMetadata,
    fold: async (channel_id) =>
      (await peer.command("fold", { connection: "main", channel_id })) as PythonStates,
    notified,
    get errors() {
      return program.errors;
    },
    kill: () => program.kill(),
    async [Symbol.asyncDispose]() {
      await program.kill();
    },
  };
  await peer.connect("main", options);
  return peer;
}
