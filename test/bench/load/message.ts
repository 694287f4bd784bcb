import { createEnvelope, EV_TEXT } from "@colloquy/protocol";

/** Characters that fill a text up, so that a frame has some 540 bytes and its envelope some 450. */
const FILLING = " and then they talked about the weather for a while".repeat(3).slice(0, 140);

/** Who says a text, and where. */
export interface Voice {
  readonly channelId: string;
  readonly senderId: string;
}

/**
 * The request that posts text number `sequence`: the same bytes go to the hub and to the echoes.
 *
 * The number stands in the request's id and at the start of the text, so that an answer and a notify
 * can both be told to belong to it.
 */
export function postFrame(sequence: number, { channelId, senderId }: Voice): string {
  return JSON.stringify({
    kind: "request",
    request_id: String(sequence),
    op: "post",
    params: {
      envelope: createEnvelope({
        channel_id: channelId,
        sender_id: senderId,
        event_type: EV_TEXT,
        event_data: { text: `${sequence}${FILLING}` },
      }),
    },
  });
}

/** The number in a text made by {@link postFrame}; NaN for any other. */
export function sequenceOf(eventData: Readonly<Record<string, unknown>>): number {
  const text = eventData["text"];
  return typeof text === "string" ? Number.parseInt(text, 10) : Number.NaN;
}
