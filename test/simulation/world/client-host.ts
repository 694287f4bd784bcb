import {
  type AgentClient,
  createHubClient,
  createLocalLink,
  createScriptedAgent,
  type HubClient,
  type HumanClient,
} from "@colloquy/client";
import {
  type Clock,
  createIdSource,
  createPassport,
  EV_CHANNEL_INVITE,
  type Link,
  type LinkPeer,
  type Logger,
} from "@colloquy/protocol";
import { type FaultyLink, faultyLink } from "@colloquy/testkit";
import type { JournalLine } from "../../checker/journal/journal.js";
import { journalingLink } from "../../journal/journaling-link.js";
import type { Dice } from "../dice.js";
import type { Chronicle } from "./chronicle.js";
import type { HubHost } from "./hub-host.js";
import type { Member } from "./member.js";
import { createMortalClock, type MortalClock } from "./mortal-clock.js";
import { createSlowReader, type ReadingGate } from "./slow-peer.js";
import { stammeringLink } from "./stammering-link.js";

/** Milliseconds after which joining is tried again. */
const JOIN_RETRY_MS = 1_000;

/** A client process with its members: it can be killed and started again. */
export interface ClientHost {
  readonly name: string;
  readonly members: readonly Member[];
  /** What happened at this client, over all its lives. */
  readonly journal: readonly JournalLine[];
  readonly isUp: boolean;
  /** The hub client that runs; null for none. */
  readonly client: HubClient | null;
  /** The network of the process that runs; null for none. */
  readonly link: FaultyLink | null;
  readonly reading: ReadingGate;
  start(): void;
  /** The process dies now. */
  kill(): void;
  /** From now on nothing of a direction arrives. */
  lose(direction: "to_hub" | "to_client"): void;
  /** Everything of the network works again; connections that lost something break. */
  mend(): void;
  /** Brings a member back that has stopped or stayed away. */
  join(member: Member): void;
}

/** Input of {@link createClientHost}. */
export interface ClientHostOptions {
  readonly name: string;
  readonly members: readonly Member[];
  readonly clock: Clock;
  readonly dice: Dice;
  readonly chronicle: Chronicle;
  readonly logger: Logger;
  readonly hub: Pick<HubHost, "accept">;
  /** Chance that a receipt is given twice. */
  readonly stammer: () => number;
  onJournal(line: JournalLine): void;
  /** A member takes part no longer, and nobody has told it so. */
  onStopped(member: Member, reason: string, error: Error | null): void;
}

interface Process {
  readonly clock: MortalClock;
  readonly link: FaultyLink;
  readonly client: HubClient;
}

/** Makes a {@link ClientHost} that does not run yet. */
export function createClientHost(options: ClientHostOptions): ClientHost {
  const { name, members, dice, chronicle, logger } = options;
  const journal: JournalLine[] = [];
  const reading = createSlowReader();
  const lost = { to_hub: false, to_client: false };
  let process: Process | null = null;

  const write = (line: JournalLine): void => {
    journal.push(line);
    chronicle.note(`${name} journal`, line);
    options.onJournal(line);
  };
  const linkOf = (clock: Clock): { outer: Link; faulty: FaultyLink } => {
    const accept = (peer: LinkPeer) => options.hub.accept(reading.wrap(peer));
    const inner = { ...createLocalLink({ accept }), remote: true };
    const faulty = faultyLink(inner, { seed: dice.int(0x1_0000_0000), clock });
    for (const direction of ["to_hub", "to_client"] as const) {
      faulty.drop(direction, Number.MAX_SAFE_INTEGER, () => lost[direction]);
    }
    const outer = journalingLink(stammeringLink(faulty, dice.fork(), options.stammer), write);
    return { outer, faulty };
  };
  const enrol = (mine: Process, member: Member): Promise<AgentClient | HumanClient> => {
    const passport = createPassport({ name: member.name, kind: member.kind });
    const settings = { passport, resume: {}, rule: member.rule };
    if (member.kind === "human")
      return mine.client.attachHuman(member.name, {
        ...settings,
        autoAcceptInvites: false,
        receipts: member.isTardy ? "by_hand" : "on_arrival",
        onEnvelope(envelope) {
          if (member.isTardy) member.unread.add(envelope.envelope_id);
          if (envelope.event_type === EV_CHANNEL_INVITE) member.getInvited(envelope);
        },
      });
    const agent = createScriptedAgent(member.name, (turn) => {
      const { channel_id, envelope_id } = turn.envelope;
      const agent_id = turn.agentId;
      write({ kind: "turn", agent_id, channel_id, trigger_id: envelope_id, envelope_id: null });
      return member.takeTurn(turn);
    });
    return mine.client.attach(agent, member.name, { ...settings, turnTimeoutMs: 60_000 });
  };
  const joinOf = async (mine: Process, member: Member): Promise<void> => {
    while (process === mine && !member.isAway && !member.isGone && member.client === null) {
      try {
        const client = await enrol(mine, member);
        if (process !== mine) return;
        member.client = client;
        member.agentId = client.agentId;
        chronicle.note(`${name} joins`, { member: member.name });
        void client.stopped.then(({ reason, error }) => {
          if (process !== mine || member.client !== client) return;
          member.client = null;
          chronicle.note(`${name} stopped`, { member: member.name, reason });
          if (!member.isAway && !member.isGone) options.onStopped(member, reason, error);
        });
      } catch (error) {
        if (process !== mine) return;
        chronicle.note(`${name} cannot join`, { member: member.name, error: String(error) });
        await new Promise<void>((resolve) => void mine.clock.setTimer(JOIN_RETRY_MS, resolve));
      }
    }
  };

  return {
    name,
    members,
    journal,
    reading,
    get isUp() {
      return process !== null;
    },
    get client() {
      return process?.client ?? null;
    },
    get link() {
      return process?.link ?? null;
    },
    start() {
      if (process !== null) return;
      const clock = createMortalClock(options.clock);
      const { outer, faulty } = linkOf(clock);
      const [ids, spread] = [dice.fork(), dice.fork()];
      const client = createHubClient({
        link: outer,
        clock,
        ids: createIdSource({ clock, random: () => ids.hex(16) }),
        random: () => spread.next(),
        logger,
        reconnect: { maxMs: 5_000 },
      });
      const mine: Process = { clock, link: faulty, client };
      process = mine;
      chronicle.note(`${name} starts`);
      for (const member of members) void joinOf(mine, member);
    },
    kill() {
      const last = process;
      if (last === null) return;
      process = null;
      chronicle.note(`${name} killed`);
      for (const member of members) {
        member.client = null;
        member.unread.clear();
      }
      last.link.cut();
      void last.client.close();
      last.clock.kill();
    },
    lose(direction) {
      lost[direction] = true;
    },
    mend() {
      const hasLost = lost.to_hub || lost.to_client;
      if (hasLost) process?.link.cut();
      lost.to_hub = false;
      lost.to_client = false;
      process?.link.randomly({});
      process?.link.allow();
      process?.link.thaw();
      reading.open();
    },
    join(member) {
      member.isAway = false;
      if (process !== null && member.client === null) void joinOf(process, member);
    },
  };
}
