import {
  excerptAround,
  type StoredEnvelope,
  storedText,
  type TextSearch,
} from "@colloquy/protocol";
import type { Command } from "commander";
import { readAgents } from "../data/agent-directory.js";
import { findChannel } from "../data/find-channel.js";
import { EXIT } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { envelopeLines } from "../wal/envelope-line.js";
import { envelopeRecord } from "../wal/envelope-record.js";
import { type SearchEnd, searchStore } from "../wal/search-store.js";
import { parseCount } from "./parse-options.js";
import { addReadingOptions, type ReadingOptions, read } from "./reading-command.js";

/** Hits that a call shows unless it says otherwise. */
const DEFAULT_LIMIT = 50;
/** Characters that are shown around a hit. */
const SHOWN = 160;

interface SearchOptions extends ReadingOptions {
  readonly channel?: string | undefined;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
  readonly newest?: boolean | undefined;
  readonly full?: boolean | undefined;
}

/** Adds `colloquy wal search <words>`. */
export function addWalSearchCommand(wal: Command, host: Host): void {
  addReadingOptions(
    wal.command("search").description("Find what was said, in all channels or one."),
  )
    .argument("<words>", "what the text must contain, in any case; no character is special")
    .option("--channel <channel>", "only this channel: its id, or a unique beginning or end of it")
    .option("--after <place>", "only above this row, or position of the channel", parseCount)
    .option("--before <place>", "only below this row, or position of the channel", parseCount)
    .option("--limit <count>", `at most so many; default: ${DEFAULT_LIMIT}`, parseCount)
    .option("--newest", "the newest first")
    .option("--full", "show the whole content below each line")
    .action((words: string, options: SearchOptions) =>
      read(host, options, async ({ store, output }) => {
        const { channel, after, before, newest, full, limit = DEFAULT_LIMIT } = options;
        const channelId =
          channel === undefined ? null : (await findChannel(store, channel)).channel_id;
        const search: TextSearch = {
          text: words,
          order: newest === true ? "newest" : "oldest",
          ...(channelId === null ? {} : { channel_id: channelId }),
          ...(after === undefined ? {} : { after }),
          ...(before === undefined ? {} : { before }),
        };
        const { nameOf } = await readAgents(store);
        const { styles, columns } = output;
        const show = async (stored: StoredEnvelope): Promise<void> => {
          if (output.json) return output.value(envelopeRecord(stored));
          const said = excerptAround(storedText(stored), words, SHOWN);
          const withChannel = channelId === null;
          const line = { nameOf, styles, columns, full, said, withChannel };
          return output.lines(...envelopeLines(stored, line));
        };
        const end = await searchStore(store, search, limit, show);
        if (end !== null) await output.remark(goOn(end, newest === true));
        return EXIT.ok;
      }),
    );
}

function goOn(end: NonNullable<SearchEnd>, isNewestFirst: boolean): string {
  return `There may be more: go on with ${isNewestFirst ? "--before" : "--after"} ${end}.`;
}
