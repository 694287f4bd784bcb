import type { DeadLetter } from "@colloquy/protocol";

/** Which dead letters to list. Omitted fields leave nothing out. */
export interface DeadLetterFilter {
  readonly recipient_id?: string | undefined;
  readonly sender_id?: string | undefined;
  readonly channel_id?: string | undefined;
  /** `next` of the page before. */
  readonly after?: string | null | undefined;
  /** Default 100, at most 1,000. */
  readonly limit?: number | undefined;
}

/** A page of dead letters, in the order in which they were first given up. */
export interface DeadLetterPage {
  readonly dead_letters: readonly DeadLetter[];
  /** Leads to the following page; null at the end. */
  readonly next: string | null;
}
