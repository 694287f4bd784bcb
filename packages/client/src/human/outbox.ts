import type { EnvelopeDraft } from "@colloquy/protocol";
import type { OutgoingMessage } from "./human-client.js";

/** Failed messages that are kept. */
const MAX_FAILED = 100;

/** Messages that the hub has not admitted. */
export interface Outbox {
  readonly messages: readonly OutgoingMessage[];
  /** Shows a message as waiting while it is sent, and as failed when that rejects. */
  track<T>(draft: EnvelopeDraft, sending: Promise<T>): Promise<T>;
}

/** Makes an {@link Outbox}. */
export function createOutbox(): Outbox {
  let messages: OutgoingMessage[] = [];
  const remove = (message: OutgoingMessage): void => {
    messages = messages.filter((other) => other !== message);
  };
  const fail = (message: OutgoingMessage, error: unknown): void => {
    const cause = error instanceof Error ? error : new Error(String(error));
    messages = messages.map((other) =>
      other === message ? { draft: message.draft, state: "failed", error: cause } : other,
    );
    const failed = messages.filter(({ state }) => state === "failed");
    const oldest = failed[0];
    if (failed.length > MAX_FAILED && oldest !== undefined) remove(oldest);
  };
  return {
    get messages() {
      return messages;
    },
    async track(draft, sending) {
      const key = draft.idempotency_key ?? null;
      messages = messages.filter(({ draft: other }) => other.idempotency_key !== key);
      const message: OutgoingMessage = { draft, state: "waiting", error: null };
      messages = [...messages, message];
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
