import {
  type ChannelAdapter,
  type ChannelMetadata,
  type Envelope,
  NotFoundError,
  type ViewSpec,
} from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { quote } from "../core/quote.js";
import type { StateAt } from "../hub.js";
import { parseStored } from "../wal/parse-stored.js";

/** Durable metadata of a channel; throws `NotFoundError`. */
export async function getChannel(
  { channels }: Pick<CoreContext, "channels">,
  channelId: string,
): Promise<ChannelMetadata> {
  const metadata = await channels.metadata(channelId);
  if (metadata !== null) return metadata;
  throw new NotFoundError(`channel not found: ${quote(channelId)}`);
}

/** The adapter of a channel; throws `NotFoundError`. */
export async function adapterFor(
  context: Pick<CoreContext, "channels" | "adapters">,
  channelId: string,
): Promise<ChannelAdapter> {
  return context.adapters.of(await getChannel(context, channelId));
}

/** The view that a participant gets unless it asks for another. */
export async function defaultView(
  context: Pick<CoreContext, "channels" | "adapters">,
  channelId: string,
  participantId: string,
): Promise<ViewSpec> {
  const metadata = await getChannel(context, channelId);
  return context.adapters.of(metadata).defaultView(metadata, participantId);
}

/** Durable state of a channel; null for a channel that was read without an adapter. */
export async function adapterState(
  { channels }: Pick<CoreContext, "channels">,
  channelId: string,
): Promise<StateAt> {
  const live = await channels.load(channelId);
  return { state: live.durable.state ?? null, position: live.committed };
}

/**
 * The sender's newest envelope that answers another, as far back as answers are remembered; null
 * for none. Throws `NotFoundError` for an unknown channel.
 */
export async function findEnvelopeByCausation(
  { channels, store }: Pick<CoreContext, "channels" | "store">,
  channelId: string,
  { senderId, causationId }: { readonly senderId: string; readonly causationId: string },
): Promise<Envelope | null> {
  const live = await channels.ready(channelId);
  const answer = live.causation.find(senderId, causationId);
  if (answer === undefined || answer.position > live.committed) return null;
  const stored = await store.readEnvelope(answer.envelope_id);
  return stored === null ? null : parseStored(stored);
}
