import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import type { ChannelAdapter, ChannelMetadata, Envelope } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { makeTempFolder } from "@colloquy/testkit";
import { createAuctionAdapter } from "../../examples/custom-adapter/auction-adapter.js";

const EXAMPLES = new URL("../../examples/", import.meta.url);

/** A channel of an example after it has run. */
export interface Log {
  readonly metadata: ChannelMetadata;
  readonly wal: readonly Envelope[];
  readonly adapter: ChannelAdapter;
  /** Id to name. */
  readonly names: Readonly<Record<string, string>>;
}

/** Examples whose hub keeps its data where `COLLOQUY_DATA` says. */
export const EXAMPLES_WITH_LOGS: readonly string[] = readdirSync(EXAMPLES).filter((name) => {
  const main = new URL(`${name}/main.ts`, EXAMPLES);
  return existsSync(main) && /open(Stage|Store)\(/.test(readFileSync(main, "utf8"));
});

/**
 * Runs an example in this process and reads all that its channels hold.
 *
 * @param setData - sets `COLLOQUY_DATA` for the time of the test
 */
export async function logsOf(
  example: string,
  setData: (file: string) => void,
): Promise<readonly Log[]> {
  using folder = makeTempFolder();
  const path = folder.at("example.db");
  setData(path);
  await import(`${new URL(`${example}/main.ts`, EXAMPLES).href}?log`);
  const adapters = [...createDefaultAdapters(), createAuctionAdapter()];
  const hub = await openHub({ store: await openSqliteStore({ path }), adapters });
  try {
    const channels = await hub.listChannels({ limit: 1_000 });
    return await Promise.all(
      channels.map(async (metadata) => {
        const adapter = adapters.find(({ manifest }) => manifest.type === metadata.manifest.type);
        if (adapter === undefined) throw new Error(`no adapter for ${metadata.manifest.type}`);
        const wal = await hub.readWal(metadata.channel_id);
        const ids = new Set([...metadata.participants.map(({ agent_id }) => agent_id)]);
        const names = Object.fromEntries([...ids].map((id) => [id, hub.nameFor(id)]));
        return { metadata, wal, adapter: adapter as ChannelAdapter, names };
      }),
    );
  } finally {
    await hub.drain();
  }
}
