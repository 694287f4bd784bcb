import { colloquyCodec } from "@colloquy/protocol";
import { listen } from "./listen.js";

/** Input of {@link listenBroadcast}. */
export interface BroadcastOptions {
  /** Ids of the recipients, one for each socket in the order in which they connect. */
  readonly recipientIds: readonly string[];
  /** JSON of an envelope such as the hub would deliver. */
  readonly envelopeText: string;
}

/**
 * Answers every message by one text to each other socket, in a loop over prepared strings: what is
 * left of a broadcast when nothing has to be decided, stored or kept.
 */
export async function listenBroadcast({
  recipientIds,
  envelopeText,
}: BroadcastOptions): Promise<string> {
  const texts = recipientIds.map((id) => colloquyCodec.encodeNotify(envelopeText, id, 1, 1));
  const { url, sockets } = await listen((sender) => {
    let at = 0;
    for (const socket of sockets) {
      const text = texts[at];
      at += 1;
      if (socket !== sender && text !== undefined) socket.send(text);
    }
  });
  return url;
}
