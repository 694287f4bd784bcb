import type { HubListener } from "@colloquy/hub";
import type { EnvelopeDraft, LogFields, Logger } from "@colloquy/protocol";
import { createFakeClock, type FakeClock } from "@colloquy/testkit";
import type { JournalLine } from "../../checker/journal/journal.js";
import { createDice, type Dice } from "../dice.js";
import { type Chronicle, createChronicle } from "./chronicle.js";
import { type ClientHost, createClientHost } from "./client-host.js";
import { createHubHost, type HubHost, type Sabotage } from "./hub-host.js";
import { createMember, type Member, type Part } from "./member.js";
import { planProcesses } from "./people.js";
import { createTruth, type Truth } from "./truth.js";
import { Violation } from "./violation.js";

/** A post that somebody has made, whatever became of it. */
export interface MadePost {
  readonly member: Member;
  readonly draft: EnvelopeDraft & { readonly idempotency_key: string };
}

/** An envelope that was given up for somebody. */
export interface DeadLetter {
  readonly envelopeId: string;
  readonly recipientId: string;
  readonly reason: string;
}

/** A hub, its clients, a disk and a network between them. */
export interface World {
  readonly seed: number;
  readonly clock: FakeClock;
  readonly dice: Dice;
  readonly chronicle: Chronicle;
  readonly host: HubHost;
  readonly clients: readonly ClientHost[];
  readonly members: readonly Member[];
  readonly truth: Truth;
  readonly posts: MadePost[];
  readonly deadLetters: readonly DeadLetter[];
  /** What arrived and was acknowledged since the last look. */
  readonly fresh: { readonly client: string; readonly line: JournalLine }[];
  /** Requests without an answer. */
  readonly underWay: ReadonlySet<string>;
  /** False once the end has begun: from then on nothing fails by itself any more. */
  isTroubled: boolean;
  /** True once what was under way when the end began is over: from then on the store works. */
  isCalm: boolean;
  /** Chance that a receipt is given twice. */
  stammer: number;
  /** Follows a request to its end: whatever refuses it must be one of the errors that are agreed. */
  attempt(label: string, request: Promise<unknown>): void;
  /** Throws the first promise that was broken where nobody could be told. */
  assertUnbroken(): void;
}

/** Log lines of level `error` that a store in trouble leads to. */
const EXPECTED_ERRORS: ReadonlySet<string> = new Set([
  "a commit has failed",
  "the end of the store's log cannot be read; trying again",
]);

/** Said of a member that tries to come back after it has unregistered. */
const REFUSED = "the hub refuses the participant for good";

/** Codes of errors that point at a fault and not at trouble or at a wrong request. */
const FAULTY_CODES: ReadonlySet<unknown> = new Set([undefined, "internal", "client/bad_answer"]);

/** What members do when it is up to them. */
export type Play = (world: World, ...part: Parameters<Part>) => ReturnType<Part>;

/** Options of {@link createWorld}. */
export interface WorldOptions {
  readonly play: Play;
  /** Hears every line of the chronicle at once. */
  readonly onLine?: ((line: string) => void) | undefined;
  readonly sabotage?: Sabotage | undefined;
}

/** Makes a world in which nothing runs yet. */
export function createWorld(seed: number, options: WorldOptions): World {
  const { play, onLine = () => undefined, sabotage = {} } = options;
  const clock = createFakeClock();
  const dice = createDice(seed);
  const chronicle = createChronicle(clock, onLine);
  const underWay = new Set<string>();
  const deadLetters: DeadLetter[] = [];
  const fresh: World["fresh"] = [];
  const durableAtArrival = (client: string, line: JournalLine): void => {
    if (line.kind !== "posted" && line.kind !== "delivered") return;
    if (!host.durable.has(line.envelope_id)) {
      fail(`${line.envelope_id} was ${line.kind} at ${client} before the disk had it`);
    }
    fresh.push({ client, line });
  };
  let broken: Violation | null = null;
  let attempts = 0;

  const fail = (message: string): void => {
    chronicle.note("VIOLATION", { message });
    broken ??= new Violation(message);
  };
  const isGone = (name: unknown): boolean =>
    world.members.some((member) => member.name === name && member.isGone);
  const loggerOf = (who: string): Logger => ({
    debug: () => undefined,
    info: () => undefined,
    warn: (fields, message) => chronicle.note(`${who} warns`, { message, ...plain(fields) }),
    error(fields, message) {
      chronicle.note(`${who} error`, { message, ...plain(fields) });
      const isFarewell = message === REFUSED && isGone(fields["participant"]);
      const isExpected = EXPECTED_ERRORS.has(message) && !world.isCalm;
      if (!isFarewell && !isExpected) {
        fail(`${who} logged an error: ${message} ${JSON.stringify(plain(fields))}`);
      }
    },
  });
  const listener: HubListener = {
    onChannelEvent(channelId, kind, { reason }) {
      if (kind === "quarantined") fail(`channel ${channelId} is quarantined: ${String(reason)}`);
    },
    onDeadLetter(envelopeId, channelId, recipientId, reason) {
      chronicle.note("dead letter", { envelopeId, channelId, recipientId, reason });
      deadLetters.push({ envelopeId, recipientId, reason });
    },
  };
  const host = createHubHost({
    clock,
    dice: dice.fork(),
    chronicle,
    logger: loggerOf("hub"),
    listener,
    sabotage,
    limits: {
      deliveryWindow: 2 + dice.int(12),
      endedChannelsInMemory: dice.int(4),
      snapshotEvery: 2 + dice.int(8),
      maxBufferedBytes: 20_000,
    },
    onGone() {
      for (const client of clients) client.link?.cut();
    },
  });

  const world: World = {
    seed,
    clock,
    dice,
    chronicle,
    host,
    get clients() {
      return clients;
    },
    get members() {
      return clients.flatMap(({ members }) => members);
    },
    truth: createTruth(),
    posts: [],
    deadLetters,
    fresh,
    underWay,
    isTroubled: true,
    isCalm: false,
    stammer: 0,
    attempt(label, request) {
      attempts += 1;
      const name = `${label} #${attempts}`;
      underWay.add(name);
      chronicle.note("asks", { name });
      request.then(
        () => {
          underWay.delete(name);
          chronicle.note("answered", { name });
        },
        (error: unknown) => {
          underWay.delete(name);
          const code = (error as { code?: unknown }).code;
          const message = error instanceof Error ? error.message : String(error);
          chronicle.note("refused", { name, code, message });
          if (FAULTY_CODES.has(code)) fail(`${name} was refused with ${String(code)}: ${message}`);
        },
      );
    },
    assertUnbroken() {
      if (broken !== null) throw broken;
    },
  };
  const clients = planProcesses(dice).map(({ name, members }) =>
    createClientHost({
      name,
      members: members.map((plan) => createMember(plan, (...part) => play(world, ...part))),
      clock,
      dice: dice.fork(),
      chronicle,
      logger: loggerOf(name),
      hub: host,
      stammer: () => world.stammer,
      onJournal: (line) => durableAtArrival(name, line),
      onStopped: (member, reason, error) =>
        fail(`${member.name} was stopped: ${reason} ${error?.message ?? ""}`),
    }),
  );
  return world;
}

/** Log fields without stacks, so that they are the same in every run. */
function plain(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? value.message : value,
    ]),
  );
}
