import type { Store, StoredEnvelope } from "@colloquy/protocol";
import type { Command } from "commander";
import { type AgentDirectory, readAgents } from "../data/agent-directory.js";
import { findChannel } from "../data/find-channel.js";
import { lastRow } from "../data/last-row.js";
import { EXIT } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { watchInterruption } from "../host/wait.js";
import { envelopeLines } from "../wal/envelope-line.js";
import { envelopeRecord } from "../wal/envelope-record.js";
import { firstPositionSince, firstRowSince } from "../wal/first-since.js";
import {
  type FollowedLog,
  followChannel,
  followStore,
  followUntilAsked,
} from "../wal/follow-wal.js";
import { parseCount, parseSince } from "./parse-options.js";
import { addReadingOptions, type Reading, type ReadingOptions, read } from "./reading-command.js";

/** Envelopes shown before the new ones. */
const DEFAULT_LAST = 10;
/** Milliseconds between two looks at the file. */
const DEFAULT_INTERVAL_MS = 250;

interface TailOptions extends ReadingOptions {
  readonly last: number;
  readonly since?: ((nowMs: number) => number) | undefined;
  readonly interval: number;
  readonly full?: boolean | undefined;
}

/** Adds `colloquy wal tail [channel]`. */
export function addWalTailCommand(wal: Command, host: Host): void {
  addReadingOptions(
    wal.command("tail").description("Follow the WAL of a channel, or of all, until interrupted."),
  )
    .argument("[channel]", "id of the channel, or a unique beginning or end of it")
    .option("--last <count>", "begin with the newest so many", parseCount, DEFAULT_LAST)
    .option(
      "--since <when>",
      "begin at a time, such as 10m, 2h or 2026-01-31T08:00:00Z",
      parseSince,
    )
    .option(
      "--interval <ms>",
      "wait between two looks at the file",
      parseCount,
      DEFAULT_INTERVAL_MS,
    )
    .option("--full", "show the whole content below each line")
    .action((channel: string | undefined, options: TailOptions) =>
      read(host, options, async (reading) => {
        const interruption = watchInterruption(host.terminal, host.clock);
        try {
          const log = await openLog(reading.store, host, channel, options);
          const show = await createShow(reading, options, channel === undefined);
          await followUntilAsked(log, interruption, options.interval, show);
        } finally {
          interruption.stop();
        }
        return EXIT.ok;
      }),
    );
}

async function openLog(
  store: Store,
  host: Host,
  text: string | undefined,
  { last, since }: TailOptions,
): Promise<FollowedLog> {
  const sinceMs = since?.(host.clock.now());
  if (text === undefined) {
    const first =
      sinceMs === undefined
        ? (await lastRow(store)) - last + 1
        : await firstRowSince(store, sinceMs);
    return followStore(store, Math.max(0, first - 1));
  }
  const { channel_id } = await findChannel(store, text);
  const first =
    sinceMs === undefined
      ? (await store.readHead(channel_id)).position - last + 1
      : await firstPositionSince(store, channel_id, sinceMs);
  return followChannel(store, channel_id, Math.max(0, first - 1));
}

/** Agents that register while the log is followed are looked up when they first appear. */
async function createShow(
  { store, output }: Reading,
  { full }: TailOptions,
  withChannel: boolean,
): Promise<(stored: StoredEnvelope) => Promise<void>> {
  let agents: AgentDirectory = await readAgents(store);
  const missing = new Set<string>();
  return async (stored) => {
    if (output.json) return await output.value(envelopeRecord(stored));
    const { sender_id } = stored;
    if (!agents.has(sender_id) && !missing.has(sender_id)) {
      agents = await readAgents(store);
      if (!agents.has(sender_id)) missing.add(sender_id);
    }
    const { nameOf } = agents;
    const { styles, columns } = output;
    await output.lines(...envelopeLines(stored, { nameOf, styles, columns, full, withChannel }));
  };
}
