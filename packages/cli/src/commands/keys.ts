import {
  ACCESS_ROLES,
  type AccessRole,
  type ApiKeyInfo,
  type IssuedApiKey,
  parseDuration,
} from "@colloquy/protocol";
import { type Command, InvalidArgumentError, Option } from "commander";
import { EXIT } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { openHubKeys } from "../keys/hub-keys.js";
import type { KeyKeeper } from "../keys/key-keeper.js";
import { type KeyAccess, openStoredKeys } from "../keys/stored-keys.js";
import { escapeText } from "../output/escape-text.js";
import { formatInstant } from "../output/format-values.js";
import { createOutput, type Output } from "../output/output.js";
import { type Column, renderTable } from "../output/render-table.js";
import { gather } from "./parse-options.js";
import { addReadingOptions, dataFile, type ReadingOptions } from "./reading-command.js";

interface KeyOptions extends ReadingOptions {
  readonly hub?: string | undefined;
}

interface AddOptions extends KeyOptions {
  readonly name: string;
  readonly role: AccessRole;
  readonly for?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly ttl?: number | undefined;
}

interface RotateOptions extends KeyOptions {
  readonly overlap?: number | undefined;
  readonly ttl?: number | undefined;
}

const COLUMNS: readonly Column[] = [
  { title: "KEY" },
  { title: "NAME" },
  { title: "ROLE" },
  { title: "STATUS" },
  { title: "CREATED" },
  { title: "EXPIRES" },
  { title: "LABEL" },
];

/** Adds `colloquy keys add`, `list`, `rotate` and `revoke`. */
export function addKeysCommands(program: Command, host: Host): void {
  const keys = program.command("keys").description("Manage the API keys of a hub.");
  addKeyOptions(keys.command("add").description("Issue an API key, and print it this once."))
    .requiredOption("--name <name>", "the agent's name, or what to call an operator or service")
    .addOption(
      new Option("--role <role>", "what the key is for")
        .choices([...ACCESS_ROLES])
        .default("participant"),
    )
    .option("--for <pattern>", "for role service: names it speaks for; may be repeated", gather)
    .option("--label <text>", "a remark")
    .option("--ttl <duration>", "time until it expires, such as 90d; default: never", parseSpan)
    .action((options: AddOptions) =>
      withKeys(host, options, "create", async (keeper, output) => {
        const { name, role, label, ttl } = options;
        const issued = await keeper.issue({ name, role, agents: options.for, label, ttlMs: ttl });
        await showIssued(output, issued);
      }),
    );
  addKeyOptions(keys.command("list").description("List API keys, without their secrets."))
    .option("--name <name>", "only those of this name")
    .action((options: KeyOptions & { readonly name?: string | undefined }) =>
      withKeys(host, options, "read", async (keeper, output) => {
        await showKeys(output, await keeper.list(options.name ?? null));
      }),
    );
  addKeyOptions(keys.command("rotate").description("Issue a key in place of another one."))
    .argument("<key>", "id of the key to replace")
    .option("--overlap <duration>", "time that the old key goes on; default: 1d", parseSpan)
    .option("--ttl <duration>", "time until the new key expires; default: never", parseSpan)
    .action((keyId: string, { overlap, ttl, ...options }: RotateOptions) =>
      withKeys(host, options, "change", async (keeper, output) => {
        const issued = await keeper.rotate(keyId, { overlapMs: overlap, ttlMs: ttl });
        await showIssued(output, issued);
      }),
    );
  addKeyOptions(
    keys.command("revoke").description("End an API key, and what it has bound, at once."),
  )
    .argument("<key>", "id of the key")
    .action((keyId: string, options: KeyOptions) =>
      withKeys(host, options, "change", async (keeper, output) => {
        const key = await keeper.revoke(keyId);
        if (output.json) await output.value(key);
        else await output.lines(`revoked the key ${key.key_id} of ${escapeText(key.name)}`);
      }),
    );
}

function addKeyOptions(command: Command): Command {
  return addReadingOptions(command).option(
    "--hub <url>",
    "a running hub instead of a data file; your key in COLLOQUY_TOKEN",
  );
}

async function withKeys(
  host: Host,
  options: KeyOptions,
  access: KeyAccess,
  run: (keeper: KeyKeeper, output: Output) => Promise<void>,
): Promise<void> {
  const { terminal, clock } = host;
  const output = createOutput(terminal, clock, options.json === true);
  const keeper =
    options.hub === undefined
      ? await openStoredKeys(dataFile(host, options), clock, access)
      : await openHubKeys(options.hub, terminal.env["COLLOQUY_TOKEN"]);
  try {
    await run(keeper, output);
    host.exitCode = EXIT.ok;
  } finally {
    await keeper.close();
  }
}

/** The key alone goes to the standard output, so that a script can take it from there. */
async function showIssued(output: Output, { secret, key }: IssuedApiKey): Promise<void> {
  if (output.json) return await output.value({ secret, key });
  await output.lines(secret);
  const until = key.expires_at === null ? "" : `, until ${formatInstant(key.expires_at)}`;
  await output.remark(
    `key ${key.key_id} of ${key.role} ${escapeText(key.name)}${until}; it is shown this once`,
  );
}

async function showKeys(output: Output, keys: readonly ApiKeyInfo[]): Promise<void> {
  if (output.json) {
    for (const key of keys) await output.value(key);
  } else if (keys.length === 0) {
    await output.remark("no keys");
  } else {
    await output.lines(...renderTable(COLUMNS, keys.map(rowOf), output.columns));
  }
}

function rowOf(key: ApiKeyInfo): string[] {
  const agents = key.agents.length === 0 ? "" : ` (${key.agents.map(escapeText).join(", ")})`;
  return [
    escapeText(key.key_id),
    escapeText(key.name) + agents,
    key.role,
    key.status,
    formatInstant(key.created_at),
    key.expires_at === null ? "never" : formatInstant(key.expires_at),
    escapeText(key.label),
  ];
}

/** Reads a duration such as `90d` or `2h`; gives milliseconds. */
function parseSpan(text: string): number {
  if (/^\d{1,9}[smhd]$/.test(text)) return parseDuration(text) * 1_000;
  if (text === "0") return 0;
  throw new InvalidArgumentError("Give a duration such as 30m, 2h or 90d.");
}
