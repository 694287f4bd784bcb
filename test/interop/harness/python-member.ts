import type {
  ChannelMetadata,
  Envelope,
  PassportInput,
  ResumeInput,
  RuleInput,
} from "@colloquy/protocol";
import { until } from "@colloquy/testkit";

/**
 * One line of a scripted model: a text, tool calls, an error, a wait, or one that is never used up.
 *
 * AG2's client runs its turns in a channel side by side, so that two may ask the model before one of
 * them is refused: among three or more, answers must follow from what the model is shown.
 */
export type PythonLine =
  | string
  | PythonCall
  | readonly PythonCall[]
  | { readonly error: string }
  | { readonly hold: string }
  | { readonly count: true }
  | { readonly nth: string };

/** A tool call of a scripted model. */
export interface PythonCall {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** How to register or attach a member. */
export interface MemberSettings {
  readonly connection?: string;
  readonly script?: readonly PythonLine[];
  /** Names of tools in test/interop/python/tools.py. */
  readonly tools?: readonly string[];
  readonly auth?: { readonly scheme: string; readonly claim: Readonly<Record<string, unknown>> };
  readonly passport?: Partial<PassportInput>;
  readonly resume?: ResumeInput;
  readonly rule?: RuleInput;
  readonly skill_md?: string;
  readonly auto_ack_invites?: boolean;
  /** For `attach`: what was settled last; default "": everything that was not settled comes. */
  readonly since?: string | null;
}

/** What a model was asked: the messages as it saw them, and its tools. */
export interface ModelCall {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly tools: readonly string[];
}

/** Somebody who takes part through AG2's clients. */
export interface PythonMember {
  readonly name: string;
  readonly agentId: string;
  readonly passport: Readonly<Record<string, unknown>>;
  /** Opens a channel; options as AG2's `open` has them. */
  open(options: {
    readonly type: string;
    readonly target: string | readonly string[];
    readonly knobs?: Readonly<Record<string, unknown>>;
    readonly ttl?: string | number;
    readonly intent?: string;
    readonly labels?: Readonly<Record<string, string>>;
  }): Promise<ChannelMetadata>;
  /** Says something; resolves with the envelope's id. */
  say(channelId: string, text: string, more?: Record<string, unknown>): Promise<string>;
  /** Resolves when AG2's client has taken an envelope with this text. */
  hear(channelId: string, text: string): Promise<Envelope>;
  /** Texts that came in a channel, bodies of packets too, in the order of their coming. */
  heard(channelId: string): readonly string[];
  /** Resolves when a text has come and AG2 has handled all that came over the connection. */
  settled(channelId: string, text: string): Promise<void>;
  /** Runs a command of the program about this member. */
  command(name: string, args?: Record<string, unknown>): Promise<unknown>;
}

/** An agent behind AG2's default handler and a scripted model. */
export interface PythonAgent extends PythonMember {
  asked(): Promise<{
    readonly calls: readonly ModelCall[];
    readonly waiting: readonly string[];
    readonly left: number;
  }>;
  /** Lets a model go on that waits. */
  release(gate: string): Promise<void>;
  addLines(...lines: PythonLine[]): Promise<void>;
  /** A turn outside any channel. */
  ask(text: string): Promise<string>;
  resumePending(): Promise<number>;
  /** Runs a task outside any turn, step by step. */
  work(task: {
    readonly title: string;
    readonly steps: readonly Readonly<Record<string, unknown>>[];
    readonly capability?: string;
    readonly channel_id?: string;
    readonly resume_from?: string;
  }): Promise<{ readonly task_id: string; readonly resumed: unknown; readonly state: string }>;
}

/** What a member needs of its process. */
interface MemberHost {
  command(name: string, args: Record<string, unknown>): Promise<unknown>;
  readonly notified: readonly { readonly to: string; readonly envelope: Envelope }[];
}

/** Registers or attaches a member of a Python process. */
export async function createPythonMember(
  peer: MemberHost,
  how: "register" | "register_human" | "attach",
  name: string,
  { connection = "main", ...settings }: MemberSettings = {},
): Promise<PythonAgent> {
  const passport = (await peer.command(how, { connection, name, ...settings })) as Readonly<
    Record<string, unknown>
  >;
  const command = (verb: string, args: Record<string, unknown> = {}): Promise<unknown> =>
    peer.command(verb, { member: name, ...args });
  const heard = (channelId: string): string[] =>
    peer.notified.flatMap(({ to, envelope: { channel_id, event_data } }) => {
      const text = event_data["text"] ?? event_data["body"];
      return to === name && channel_id === channelId && typeof text === "string" ? [text] : [];
    });
  return {
    name,
    agentId: String(passport["agent_id"]),
    passport,
    open: async (options) => (await command("open", { ...options })) as ChannelMetadata,
    say: async (channel_id, text, more = {}) =>
      String(await command("send", { channel_id, text, ...more })),
    hear: async (channel_id, text) =>
      (await command("wait_for_text", { channel_id, text })) as Envelope,
    heard,
    async settled(channelId, text) {
      await until(() => heard(channelId).includes(text), {
        timeoutMs: 20_000,
        describe: () => `${text} at ${name}, who heard ${heard(channelId).join(" | ")}`,
      });
      await command("rest");
    },
    command,
    asked: async () => (await command("asked")) as Awaited<ReturnType<PythonAgent["asked"]>>,
    release: async (gate) => void (await command("release", { gate })),
    addLines: async (...lines) => void (await command("add_lines", { lines })),
    ask: async (text) => String(await command("ask", { text })),
    resumePending: async () => Number(await command("resume_pending")),
    work: async (task) =>
      (await command("work", { ...task })) as Awaited<ReturnType<PythonAgent["work"]>>,
  };
}
