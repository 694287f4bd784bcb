import { type Envelope, NotFoundError } from "@colloquy/protocol";
import type { HubVerbs } from "../verbs/hub-verbs.js";

/** The log of an envelope's channel up to the envelope, without it, oldest first. */
export async function readWalUntil(
  hub: Pick<HubVerbs, "readWal">,
  envelope: Envelope,
): Promise<readonly Envelope[]> {
  const log = await hub.readWal(envelope.channel_id);
  const end = log.findIndex(({ envelope_id }) => envelope_id === envelope.envelope_id);
  if (end >= 0) return log.slice(0, end);
  throw new NotFoundError(`envelope '${envelope.envelope_id}' is not in its channel's log`);
}
