import type { Command } from "commander";
import { findAgent, readAgents } from "../data/agent-directory.js";
import { everIn } from "../data/ever-in.js";
import { findChannel } from "../data/find-channel.js";
import { EXIT } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { envelopeLines } from "../wal/envelope-line.js";
import { envelopeRecord } from "../wal/envelope-record.js";
import { selectEnvelopes } from "../wal/select-envelopes.js";
import { gather, parseCount } from "./parse-options.js";
import { addReadingOptions, type ReadingOptions, read } from "./reading-command.js";

interface ReadOptions extends ReadingOptions {
  readonly after?: number | undefined;
  readonly last?: number | undefined;
  readonly limit?: number | undefined;
  readonly type?: string[] | undefined;
  readonly from?: string | undefined;
  readonly full?: boolean | undefined;
}

/** Adds `colloquy wal read <channel>`. */
export function addWalReadCommand(wal: Command, host: Host): void {
  addReadingOptions(wal.command("read").description("Read the WAL of a channel."))
    .argument("<channel>", "id of the channel, or a unique beginning or end of it")
    .option("--after <position>", "only positions above this one", parseCount)
    .option("--last <count>", "only the newest so many", parseCount)
    .option("--limit <count>", "at most so many, from the start", parseCount)
    .option(
      "--type <pattern>",
      "only event types that fit, such as ag2.msg.*; may be repeated",
      gather,
    )
    .option("--from <agent>", "only envelopes of this sender")
    .option("--full", "show the whole content below each line")
    .action((text: string, options: ReadOptions) =>
      read(host, options, async ({ store, output }) => {
        const channel = await findChannel(store, text);
        const agents = await readAgents(store);
        const { after, last, limit, type, from, full } = options;
        const senderId = from === undefined ? null : findAgent(agents, from, everIn(channel));
        const selection = { after, last, limit, types: type ?? [], senderId };
        const { nameOf } = agents;
        const { styles, columns } = output;
        for await (const stored of selectEnvelopes(store, channel.channel_id, selection)) {
          if (output.json) await output.value(envelopeRecord(stored));
          else await output.lines(...envelopeLines(stored, { nameOf, styles, columns, full }));
        }
        return EXIT.ok;
      }),
    );
}
