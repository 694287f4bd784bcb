import type { EnvelopeDraft } from "@colloquy/protocol";
import type { OutgoingMessage } from "./human-client.js";

/** Failed messages that are kept. */
const MAX_FAILED = 100;

/** Messages that the hub has not admitted. */
export interface Outbox {
  readonly messages: readonly OutgoingMessage[];
  /** Takes a failed message away; false when there is none with the key. */
  discard(idempotencyKey: string): boolean;
  /** Shows a message as waiting while it is sent, and as failed when that rejects. */
  track<T>(draft: EnvelopeDraft, sending: Promise<T>): Promise<T>;
}

/**
 * Makes an {@link Outbox}.
 *
 * @param onChange - called after each change
 */
export function createOutbox(onChange: () => void): Outbox {
  let messages: readonly OutgoingMessage[] = [];
  const set = (next: readonly OutgoingMessage[]): void => {
    messages = next;
    onChange();
  };
  const remove = (message: OutgoingMessage): void => {
    set(messages.filter((other) => other !== message));
  };
  const fail = (message: OutgoingMessage, error: unknown): void => {
    const cause = error instanceof Error ? error : new Error(String(error));
    const marked = messages.map((other) =>
      other === message
        ? ({ draft: message.draft, state: "failed", error: cause } as const)
        : other,
    );
    const failed = marked.filter(({ state }) => state === "failed");
    const oldest = failed.length > MAX_FAILED ? failed[0] : undefined;
    set(marked.filter((other) => other !== oldest));
  };
  return {
    get messages() {
      return messages;
    },
    discard(idempotencyKey) {
      const found = messages.find(
        ({ draft, state }) => state === "failed" && draft.idempotency_key === idempotencyKey,
      );
      if (found !== undefined) remove(found);
      return found !== undefined;
    },
    async track(draft, sending) {
      const key = draft.idempotency_key ?? null;
      const others = messages.filter(({ draft: other }) => other.idempotency_key !== key);
      const message: OutgoingMessage = { draft, state: "waiting", error: null };
      set([...others, message]);
      try {
        const result = await sending;
        remove(message);
        return result;
      } catch (error) {
        fail(message, error);
        throw error;
      }
    },
  };
}
