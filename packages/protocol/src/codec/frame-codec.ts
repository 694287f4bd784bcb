import type { ClientFrame, Frame, HubFrame } from "../frames/frames.js";
import type { WireProfile } from "../ports/link.js";

/** WebSocket subprotocol that a peer asks for to speak Colloquy's own profile. */
export const SUBPROTOCOL = "colloquy.v1" satisfies WireProfile;

/**
 * Turns frames into text messages and back, for one profile. Stateless; one object serves all connections.
 *
 * Both profiles yield the same types: what only `colloquy.v1` knows is optional.
 */
export interface FrameCodec {
  readonly profile: WireProfile;

  /**
   * Reads a message that a hub received.
   *
   * @throws InvalidInputError that names the field, for a text that is no frame of this profile and direction
   */
  decodeClientFrame(text: string): ClientFrame;

  /**
   * Reads a message that a client received.
   *
   * @throws InvalidInputError that names the field, for a text that is no frame of this profile and direction
   */
  decodeHubFrame(text: string): HubFrame;

  /**
   * Writes a frame. Fields that the profile does not know are left out.
   *
   * @throws TypeError for a kind that the profile does not have: a fault of the caller, who must not offer it
   */
  encode(frame: Frame): string;

  /**
   * Writes a `notify` around an envelope that is already JSON, without touching its text.
   *
   * @param envelopeText - the envelope as one JSON object; trusted
   * @param recipientId - participant that it is for
   * @param position - place in the channel, from 1; left out where the profile does not know it
   * @param attempt - how often it has been sent to the recipient, from 1; left out likewise
   */
  encodeNotify(
    envelopeText: string,
    recipientId: string,
    position: number,
    attempt: number,
  ): string;
}
