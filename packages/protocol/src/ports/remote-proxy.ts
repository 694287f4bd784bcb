import type { Envelope } from "../envelope/envelope.js";
import type { Passport } from "../registry/passport.js";

/**
 * Carries envelopes to participants of kind `remote_agent`, who live on another system. Answers come
 * back as posts of that participant: whoever runs the proxy posts them, acceptances of invitations included.
 *
 * - R1: `dispatch` is called for one envelope of a channel and participant at a time, in WAL order.
 * - R2: it resolves when the other system has taken the envelope over; a throw or a rejection is a
 *   failure, and the same envelope is dispatched again after a growing delay, up to the hub's limit.
 * - R3: an envelope may be dispatched more than once, also after a restart; `envelope_id` tells.
 */
export interface RemoteProxy {
  /** Auth scheme of the passports that it serves. */
  readonly scheme: string;
  dispatch(envelope: Envelope, passport: Passport): Promise<void> | void;
  /** Called once it is replaced or unregistered, or the hub closes. */
  close(): Promise<void> | void;
}
