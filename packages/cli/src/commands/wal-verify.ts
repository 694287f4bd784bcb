import type { Store } from "@colloquy/protocol";
import type { Command } from "commander";
import { createChannelTypes } from "../channels/channel-types.js";
import { findChannel } from "../data/find-channel.js";
import { shortId } from "../data/short-id.js";
import { EXIT } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { escapeText } from "../output/escape-text.js";
import { countOf, formatCount } from "../output/format-values.js";
import type { Output } from "../output/output.js";
import type { Progress } from "../output/progress.js";
import type { Finding } from "../verify/finding.js";
import {
  type Coverage,
  createCoverage,
  type Verification,
  verifyOne,
  verifyStore,
} from "../verify/verify-store.js";
import { addReadingOptions, type ReadingOptions, read } from "./reading-command.js";

/** Findings that are shown one by one; the rest is counted. */
const MAX_SHOWN = 100;

/** Adds `colloquy wal verify [channel]`. */
export function addWalVerifyCommand(wal: Command, host: Host): void {
  addReadingOptions(
    wal
      .command("verify")
      .description("Verify hash chain, order, digests and turns of a channel, or of all."),
  )
    .argument("[channel]", "id of the channel, or a unique beginning or end of it")
    .action((channel: string | undefined, options: ReadingOptions) =>
      read(host, options, async ({ store, output }) => {
        const progress = output.progress("verifying", 0);
        const coverage = createCoverage();
        const verification = { store, types: createChannelTypes(), progress, coverage };
        try {
          const total = await report(
            output,
            progress,
            await findingsOf(store, channel, verification),
          );
          progress.stop();
          await summarise(output, coverage, total);
          return total === 0 ? EXIT.ok : EXIT.failure;
        } finally {
          progress.stop();
        }
      }),
    );
}

async function findingsOf(
  store: Store,
  text: string | undefined,
  verification: Verification,
): Promise<AsyncGenerator<Finding, void, undefined>> {
  if (text === undefined) return verifyStore(verification);
  const channel = await findChannel(store, text);
  const { position } = await store.readHead(channel.channel_id);
  const { coverage, progress } = verification;
  return verifyOne(verification, channel, () => progress.update(coverage.envelopes, position));
}

/** Prints findings as they come; returns how many there were. */
async function report(
  output: Output,
  progress: Progress,
  findings: AsyncIterable<Finding>,
): Promise<number> {
  let total = 0;
  for await (const finding of findings) {
    total += 1;
    if (total > MAX_SHOWN) continue;
    progress.stop();
    if (output.json) await output.value({ finding });
    else await output.lines(describe(output, finding));
  }
  if (total > MAX_SHOWN) {
    await output.remark(`… and ${formatCount(total - MAX_SHOWN)} more findings`);
  }
  return total;
}

function describe({ styles }: Output, finding: Finding): string {
  const channel = finding.channel_id === "" ? "" : ` channel ${shortId(finding.channel_id)}`;
  const place = finding.position === 0 ? "" : ` position ${finding.position} (row ${finding.row})`;
  return `${styles.bad(finding.kind)}${escapeText(`${channel}${place}: ${finding.message}`)}`;
}

async function summarise(output: Output, coverage: Coverage, findings: number): Promise<void> {
  const { channels, envelopes, uncheckedTypes } = coverage;
  if (output.json) {
    const unchecked = Object.fromEntries(uncheckedTypes);
    await output.value({
      summary: { ok: findings === 0, channels, envelopes, findings, unchecked_types: unchecked },
    });
    return;
  }
  for (const [type, count] of uncheckedTypes) {
    const what = `${countOf(count, "channel")} of the unknown type ${escapeText(type)}`;
    await output.remark(`turns not checked: ${what}`);
  }
  const looked = `${countOf(channels, "channel")}, ${countOf(envelopes, "envelope")}`;
  const { good, bad } = output.styles;
  const verdict = findings === 0 ? good("verified") : bad(countOf(findings, "finding"));
  await output.lines(`${verdict}: ${looked}`);
}
