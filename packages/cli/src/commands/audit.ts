import { verifyAudit } from "@colloquy/hub";
import type { Store } from "@colloquy/protocol";
import type { Command } from "commander";
import { EXIT } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { watchInterruption } from "../host/wait.js";
import { countOf } from "../output/format-values.js";
import { type AuditFilterOptions, addAuditFilterOptions, readAuditMatch } from "./audit-filter.js";
import { eachAudit, showAudit } from "./audit-lines.js";
import { parseCount } from "./parse-options.js";
import { addDataOption, addReadingOptions, type ReadingOptions, read } from "./reading-command.js";

/** Records shown by default. */
const DEFAULT_LAST = 50;
/** Milliseconds between two looks at the file. */
const DEFAULT_INTERVAL_MS = 250;

interface LastOptions extends AuditFilterOptions {
  readonly last: number;
}

interface TailOptions extends LastOptions {
  readonly interval: number;
}

/** Adds `colloquy audit` with its commands. */
export function addAuditCommands(program: Command, host: Host): void {
  const audit = program.command("audit").description("Look at what a hub decided and refused.");
  addAuditReadCommand(audit, host);
  addAuditTailCommand(audit, host);
  addAuditVerifyCommand(audit, host);
  addAuditExportCommand(audit, host);
}

function addAuditReadCommand(audit: Command, host: Host): void {
  const command = audit.command("read").description("Show the newest records of the audit log.");
  addAuditFilterOptions(addReadingOptions(command))
    .option("--last <count>", "so many of those that match", parseCount, DEFAULT_LAST)
    .action((options: LastOptions) =>
      read(host, options, async ({ store, output }) => {
        const match = await readAuditMatch(store, options, host.clock.now());
        const after = await placeBefore(store, match, options.last);
        for await (const stored of eachAudit(store, { ...match, after })) {
          await showAudit(output, stored);
        }
        return EXIT.ok;
      }),
    );
}

function addAuditTailCommand(audit: Command, host: Host): void {
  const command = audit.command("tail").description("Follow the audit log until interrupted.");
  addAuditFilterOptions(addReadingOptions(command))
    .option("--last <count>", "begin with the newest so many", parseCount, 10)
    .option("--interval <ms>", "wait between two looks", parseCount, DEFAULT_INTERVAL_MS)
    .action((options: TailOptions) =>
      read(host, options, async ({ store, output }) => {
        const interruption = watchInterruption(host.terminal, host.clock);
        try {
          const match = await readAuditMatch(store, options, host.clock.now());
          let after = await placeBefore(store, match, options.last);
          while (!interruption.asked) {
            for await (const stored of eachAudit(store, { ...match, after })) {
              await showAudit(output, stored);
              after = stored.sequence;
              if (interruption.asked) break;
            }
            await interruption.wait(options.interval);
          }
        } finally {
          interruption.stop();
        }
        return EXIT.ok;
      }),
    );
}

function addAuditVerifyCommand(audit: Command, host: Host): void {
  addReadingOptions(
    audit.command("verify").description("Verify the hash chain of the audit log."),
  ).action((options: ReadingOptions) =>
    read(host, options, async ({ store, output }) => {
      const finding = await verifyAudit((after) => store.readAudit({ after }));
      const { fault, records, head } = finding;
      if (output.json) await output.value(finding);
      else if (fault === null) {
        const good = output.styles.good("verified");
        await output.lines(`${good}: ${countOf(records, "record")}, head ${head || "none"}`);
      } else {
        await output.lines(
          `${output.styles.bad("broken")}: record ${fault.sequence} ${fault.reason}`,
        );
      }
      return finding.isWhole ? EXIT.ok : EXIT.failure;
    }),
  );
}

function addAuditExportCommand(audit: Command, host: Host): void {
  const command = audit
    .command("export")
    .description("Write the audit log as JSON lines, with places and hashes.");
  addAuditFilterOptions(addDataOption(command)).action((options: AuditFilterOptions) =>
    read(host, { ...options, json: true }, async ({ store, output }) => {
      const match = await readAuditMatch(store, options, host.clock.now());
      for await (const stored of eachAudit(store, match)) await output.value(stored);
      return EXIT.ok;
    }),
  );
}

/** The place after which the newest so many that match begin. */
async function placeBefore(
  store: Store,
  match: Awaited<ReturnType<typeof readAuditMatch>>,
  last: number,
): Promise<number> {
  let before = Number.MAX_SAFE_INTEGER;
  for (let left = last; left > 0; ) {
    const limit = Math.min(left, 1_000);
    const page = await store.readAudit({ ...match, before, order: "newest", limit });
    left -= page.length;
    const oldest = page.at(-1);
    if (oldest === undefined || page.length < limit) return 0;
    before = oldest.sequence;
  }
  if (last > 0) return before - 1;
  const [newest] = await store.readAudit({ order: "newest", limit: 1 });
  return newest?.sequence ?? 0;
}
