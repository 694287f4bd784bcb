import type { ChannelMetadata, ChannelState, Store } from "@colloquy/protocol";

/** Which channels to list. */
export interface ChannelsFilter {
  readonly agent_id?: string | null | undefined;
  readonly states?: readonly ChannelState[] | undefined;
  /** Default 50; null is no limit. */
  readonly limit?: number | null | undefined;
}

const DEFAULT_LIMIT = 50;
const PAGE = 1_000;

/** Channels in order of creation, ended ones included unless the states say otherwise. */
export async function listChannels(
  { store }: { readonly store: Pick<Store, "listChannels"> },
  { agent_id, states, limit = DEFAULT_LIMIT }: ChannelsFilter = {},
): Promise<readonly ChannelMetadata[]> {
  const most = limit ?? Number.POSITIVE_INFINITY;
  const found: ChannelMetadata[] = [];
  while (found.length < most) {
    const size = Math.min(PAGE, most - found.length);
    const after = found.at(-1)?.channel_id;
    const page = await store.listChannels({
      ...(agent_id ? { agent_id } : {}),
      ...(states === undefined ? {} : { states }),
      ...(after === undefined ? {} : { after }),
      limit: size,
    });
    found.push(...page);
    if (page.length < size) break;
  }
  return found;
}
