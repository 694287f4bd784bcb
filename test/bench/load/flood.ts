import { createEnvelope, EV_TEXT } from "@colloquy/protocol";
import type { Voice } from "./message.js";
import { openHubSocket } from "./open-hub-socket.js";
import { createReceipts } from "./receipts.js";

/** Input of `flood`. */
export interface FloodOptions extends Voice {
  readonly url: string;
  readonly senderName: string;
  readonly readerName: string;
  /** False: the reader stops reading before the first envelope is posted. */
  readonly reads: boolean;
  readonly envelopes: number;
  /** Characters of each text. */
  readonly textLength: number;
}

/** What became of a flood. */
export interface FloodResult {
  readonly accepted: number;
  /** Posts that were refused, by error code. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Posts on their way at one time. */
const IN_FLIGHT = 16;

/** Commands that flood one reader. */
export const floodCommands = {
  /** Posts many big envelopes to a reader who reads, or who does not. The connections stay open. */
  async flood(options: FloodOptions): Promise<FloodResult> {
    const { url, senderName, readerName, reads } = options;
    const reader = await openHubSocket(url, [readerName]);
    const receipts = createReceipts(reader.socket);
    reader.onFrame = (frame) => {
      if (frame.kind === "notify") receipts.add(frame);
    };
    if (!reads) reader.socket.pause();
    const sender = await openHubSocket(url, [senderName]);
    return await new Promise((resolve, reject) => {
      const refused: Record<string, number> = {};
      let posted = 0;
      let answered = 0;
      const post = (): void => {
        if (posted === options.envelopes) return;
        posted += 1;
        sender.socket.send(bigPost(posted, options));
      };
      sender.onClosed = (code) => reject(new Error(`the hub closed the sender: ${code}`));
      sender.onFrame = (frame) => {
        if (frame.kind !== "response") return;
        answered += 1;
        if (!frame.ok) refused[frame.error_code] = (refused[frame.error_code] ?? 0) + 1;
        if (answered < options.envelopes) return post();
        const missed = Object.values(refused).reduce((sum, count) => sum + count, 0);
        resolve({ accepted: answered - missed, refused });
      };
      for (let filled = 0; filled < IN_FLIGHT; filled += 1) post();
    });
  },
};

function bigPost(sequence: number, { channelId, senderId, textLength }: FloodOptions): string {
  const envelope = createEnvelope({
    channel_id: channelId,
    sender_id: senderId,
    event_type: EV_TEXT,
    event_data: { text: "x".repeat(textLength) },
  });
  return JSON.stringify({
    kind: "request",
    request_id: String(sequence),
    op: "post",
    params: { envelope },
  });
}
