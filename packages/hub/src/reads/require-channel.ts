import { NotFoundError, type Store } from "@colloquy/protocol";

/** Throws `NotFoundError` for a channel that the store does not have. */
export async function requireChannel(
  store: Pick<Store, "readChannel">,
  channelId: string,
): Promise<void> {
  if ((await store.readChannel(channelId)) === null) {
    throw new NotFoundError(`channel not found: ${channelId.slice(0, 80)}`);
  }
}
