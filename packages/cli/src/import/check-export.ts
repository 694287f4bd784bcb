import { verifyChain } from "@colloquy/hub";
import {
  type ChannelMetadata,
  checkAgentName,
  foldName,
  isId,
  type Passport,
  type StoredEnvelope,
} from "@colloquy/protocol";
import type { ChannelTypes } from "../channels/channel-types.js";
import { CliError } from "../errors/cli-error.js";
import type { EndLine } from "../export/export-lines.js";
import type { Finding } from "../verify/finding.js";
import { createTurnCheck, type TurnCheck } from "../verify/turn-check.js";
import { type Numbering, startNumbering } from "./number-envelopes.js";
import { readExport } from "./read-export.js";

/** What an export holds, once it is known to be sound. */
export interface CheckedExport {
  readonly counts: EndLine;
  /** Ids of its channels. */
  readonly channelIds: ReadonlySet<string>;
  /** Id of its oldest envelope; empty for none. */
  readonly firstEnvelopeId: string;
  /** Names of its agents by id. */
  readonly agents: ReadonlyMap<string, string>;
}

/** What is known of an export while it is read. */
interface Course {
  readonly counts: { agents: number; channels: number; envelopes: number; deliveries: number };
  readonly turns: Map<string, TurnCheck>;
  readonly agents: Map<string, string>;
  /** Ids by the folded name. */
  readonly holders: Map<string, string>;
  readonly numbering: Numbering;
  firstEnvelopeId: string;
  lastEnvelopeId: string;
  end: EndLine | null;
}

/**
 * Reads a whole export and verifies it: lines, counts, chain, order of ids and turns.
 *
 * @param onEnvelope - called with the number of envelopes so far
 * @throws CliError for the first thing that is wrong
 */
export async function checkExport(
  path: string,
  types: ChannelTypes,
  onEnvelope: (count: number) => void,
): Promise<CheckedExport> {
  const course: Course = {
    counts: { agents: 0, channels: 0, envelopes: 0, deliveries: 0 },
    turns: new Map(),
    agents: new Map(),
    holders: new Map(),
    numbering: startNumbering(0),
    firstEnvelopeId: "",
    lastEnvelopeId: "",
    end: null,
  };
  for await (const finding of verifyChain(envelopesOf(path, types, course, onEnvelope))) {
    throw broken(path, { ...finding, kind: finding.fault });
  }
  const { end, counts, turns, agents, firstEnvelopeId } = course;
  if (end === null) throw new Error("an export was read to its end without an end");
  for (const kind of ["agents", "channels", "envelopes", "deliveries"] as const) {
    if (counts[kind] === end[kind]) continue;
    throw new CliError(`${path} holds ${counts[kind]} ${kind}, its end counts ${end[kind]}.`, {
      remedy: "Lines are missing or were added; export again.",
    });
  }
  return { counts: end, channelIds: new Set(turns.keys()), firstEnvelopeId, agents };
}

/** The envelopes of an export; everything else in it is taken note of on the way. */
async function* envelopesOf(
  path: string,
  types: ChannelTypes,
  course: Course,
  onEnvelope: (count: number) => void,
): AsyncGenerator<StoredEnvelope, void, undefined> {
  const { counts, turns } = course;
  for await (const { number, line } of readExport(path)) {
    switch (line.kind) {
      case "agent":
        counts.agents += 1;
        addAgent(path, number, course, line.passport);
        break;
      case "channel":
        counts.channels += 1;
        addChannel(path, types, course, line.channel);
        break;
      case "delivery":
        counts.deliveries += 1;
        requireChannel(path, number, turns, line.channel_id);
        break;
      case "end":
        course.end = line;
        break;
      case "envelope": {
        counts.envelopes += 1;
        const stored = course.numbering.next(line);
        const turn = requireChannel(path, number, turns, stored.channel_id);
        checkOrder(path, number, course, stored.envelope_id);
        yield stored;
        for (const finding of turn.take(stored)) throw broken(path, finding);
        onEnvelope(counts.envelopes);
        break;
      }
    }
  }
}

/** No chain covers the names, and what registration refuses must not come in by an export. */
function addAgent(
  path: string,
  number: number,
  { agents, holders }: Course,
  { agent_id, name }: Passport,
): void {
  const remedy = "The file was changed or damaged; export again.";
  if (agent_id === null || !isId(agent_id) || agents.has(agent_id)) {
    throw new CliError(`${path}, line ${number}: the agent has no id of its own.`, { remedy });
  }
  if (!isAgentName(name)) {
    throw new CliError(
      `${path}, line ${number}: agent ${agent_id} has a name that nobody may have.`,
      { remedy },
    );
  }
  const folded = foldName(name);
  const twin = holders.get(folded);
  if (twin !== undefined) {
    throw new CliError(
      `${path}, line ${number}: agent ${agent_id} is named as agent ${twin} is, or nearly so.`,
      { remedy },
    );
  }
  holders.set(folded, agent_id);
  agents.set(agent_id, name);
}

function isAgentName(name: string): boolean {
  try {
    return checkAgentName(name) === name;
  } catch {
    return false;
  }
}

function addChannel(
  path: string,
  types: ChannelTypes,
  { turns }: Course,
  channel: ChannelMetadata,
): void {
  if (turns.has(channel.channel_id)) {
    throw new CliError(`${path} holds channel ${channel.channel_id} twice.`);
  }
  turns.set(channel.channel_id, createTurnCheck(channel, types.of(channel)));
}

function requireChannel(
  path: string,
  number: number,
  turns: ReadonlyMap<string, TurnCheck>,
  channelId: string,
): TurnCheck {
  const turn = turns.get(channelId);
  if (turn !== undefined) return turn;
  throw new CliError(
    `${path}, line ${number} is of channel ${channelId}, which no line before it holds.`,
    { remedy: "Lines are missing; export again." },
  );
}

function checkOrder(path: string, number: number, course: Course, id: string): void {
  if (id <= course.lastEnvelopeId) {
    throw new CliError(
      `${path}, line ${number}: envelope ${id} does not sort above the one before it.`,
      { remedy: "The lines were moved; export again." },
    );
  }
  if (course.firstEnvelopeId === "") course.firstEnvelopeId = id;
  course.lastEnvelopeId = id;
}

function broken(path: string, finding: Finding): CliError {
  const place = `channel ${finding.channel_id}, position ${finding.position}`;
  return new CliError(`${path} is not sound at ${place}: ${finding.message} (${finding.kind}).`, {
    remedy: "Nothing was imported. Verify the store that it came from and export again.",
  });
}
