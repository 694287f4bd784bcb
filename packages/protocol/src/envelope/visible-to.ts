import type { Envelope } from "./envelope.js";

/** True if the participant sent the envelope, it is for everybody, or the audience names the participant. */
export function visibleTo(
  envelope: Pick<Envelope, "sender_id" | "audience">,
  participantId: string,
): boolean {
  return (
    envelope.sender_id === participantId ||
    envelope.audience === null ||
    envelope.audience.includes(participantId)
  );
}
