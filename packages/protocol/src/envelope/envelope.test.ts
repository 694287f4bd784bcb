import { describe, expect, it } from "vitest";
import { createEnvelope, envelopeSchema } from "./envelope.js";
import { eventPayloadSchemas } from "./event-payloads.js";
import { EV_CHANNEL_CLOSED, EV_PACKET, EV_TEXT, isProtocolEvent } from "./event-types.js";
import { visibleTo } from "./visible-to.js";

const draft = { channel_id: "c", event_type: EV_TEXT, event_data: { text: "hi" } };

describe("envelope", () => {
  it("is completed in the key order of its schema", () => {
    expect(Object.keys(createEnvelope(draft))).toEqual(Object.keys(envelopeSchema.shape));
  });

  it("needs five keys and refuses unknown ones", () => {
    const bare = {
      channel_id: "c",
      sender_id: "a",
      audience: null,
      event_type: "x",
      event_data: {},
    };
    expect(envelopeSchema.parse(bare)).toEqual(createEnvelope({ ...bare }));
    for (const key of Object.keys(bare)) {
      const { [key as keyof typeof bare]: _, ...rest } = bare;
      expect(envelopeSchema.safeParse(rest).success).toBe(false);
    }
    expect(envelopeSchema.safeParse({ ...bare, sequence: 1 }).success).toBe(false);
  });

  it("is visible to its sender, to everybody, or to those it names", () => {
    expect(visibleTo({ sender_id: "a", audience: [] }, "a")).toBe(true);
    expect(visibleTo({ sender_id: "a", audience: null }, "b")).toBe(true);
    expect(visibleTo({ sender_id: "a", audience: ["c"] }, "b")).toBe(false);
  });

  it("tells events of channels and tasks from what is said", () => {
    expect(isProtocolEvent(EV_CHANNEL_CLOSED)).toBe(true);
    expect(isProtocolEvent("ag2.task.progress")).toBe(true);
    expect(isProtocolEvent(EV_TEXT)).toBe(false);
  });

  it("knows which payloads of core events could break a fold", () => {
    const packet = eventPayloadSchemas.get(EV_PACKET);
    expect(
      packet?.safeParse({ context_updates: { set: { a: 1 }, delete: null }, body: null }).success,
    ).toBe(true);
    expect(packet?.safeParse({ context_updates: { delete: "a" } }).success).toBe(false);
    expect(eventPayloadSchemas.get(EV_TEXT)?.safeParse({ text: 1 }).success).toBe(false);
  });
});
