import type { ClientFrame, HubFrame, Link } from "@colloquy/protocol";
import type { JournalLine } from "../checker/journal/journal.js";

/** Takes journal lines as they come. */
export type JournalWriter = (line: JournalLine) => void;

/** What a post looked like when it was asked for. */
interface AskedPost {
  readonly channel_id: string;
  readonly sender_id: string;
  readonly idempotency_key: string | null;
}

/**
 * Wraps a link so that everything that arrives at a client, and every post that is acknowledged to
 * it, goes into a journal before the client hears of it.
 */
export function journalingLink(inner: Link, write: JournalWriter): Link {
  return {
    remote: inner.remote,
    async connect(handlers, signal) {
      const asked = new Map<string, AskedPost>();
      const connection = await inner.connect(
        {
          onFrame(frame) {
            noteHubFrame(frame, asked, write);
            handlers.onFrame(frame);
          },
          onBadFrame: (error) => handlers.onBadFrame(error),
          onClosed: (closed) => handlers.onClosed(closed),
        },
        signal,
      );
      return {
        profile: connection.profile,
        get bufferedBytes() {
          return connection.bufferedBytes;
        },
        send(frame) {
          noteClientFrame(frame, asked);
          connection.send(frame);
        },
        close: (code, reason) => connection.close(code, reason),
      };
    },
  };
}

function noteClientFrame(frame: ClientFrame, asked: Map<string, AskedPost>): void {
  if (frame.kind !== "request" || frame.op !== "post") return;
  const envelope = frame.params["envelope"] as Partial<AskedPost>;
  asked.set(frame.request_id, {
    channel_id: envelope.channel_id ?? "",
    sender_id: envelope.sender_id ?? "",
    idempotency_key: envelope.idempotency_key ?? null,
  });
}

function noteHubFrame(frame: HubFrame, asked: Map<string, AskedPost>, write: JournalWriter): void {
  if (frame.kind === "notify") {
    const { recipient_id, envelope, position } = frame;
    const { channel_id, envelope_id } = envelope;
    const place = position === undefined ? {} : { position };
    write({ kind: "delivered", recipient_id, channel_id, envelope_id, ...place });
    return;
  }
  if (frame.kind !== "response") return;
  const post = asked.get(frame.request_id);
  asked.delete(frame.request_id);
  if (post === undefined || !frame.ok) return;
  const { envelope_id, position } = frame.result as { envelope_id: string; position: number };
  write({ kind: "posted", ...post, envelope_id, position });
}
