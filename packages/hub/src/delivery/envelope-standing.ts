/**
 * How one envelope stands with one recipient.
 *
 * - `unsent`: not handed over on the present connection, or there is none.
 * - `sent`, `taken_up`: with the recipient, and its turn has not begun or has.
 * - `delayed`: refused by the recipient; `retryAt` tells when it goes out again.
 * - `failed`: the recipient has reported that its turn on it failed.
 * - `dead`: given up; `refused`: kept from the recipient by its rule.
 * - `settled`: handled.
 */
export interface Standing {
  readonly agentId: string;
  readonly envelopeId: string;
  readonly position: number;
  readonly state:
    | "unsent"
    | "sent"
    | "taken_up"
    | "delayed"
    | "failed"
    | "dead"
    | "refused"
    | "settled";
  /** Epoch milliseconds at which it came to stand like that. */
  readonly since: number;
  /** Epoch milliseconds of the release. */
  readonly queuedAt: number;
  readonly attempt: number;
  readonly reason: string;
  /** Epoch milliseconds; null unless it is `delayed`. */
  readonly retryAt: number | null;
}
