import { describe, expect, it } from "vitest";
import { createEnvelope } from "../envelope/envelope.js";
import { InvalidInputError } from "../errors/network-error.js";
import type { Frame } from "../frames/frames.js";
import { bareCodec } from "./bare-codec.js";
import { codecFor } from "./codec.js";
import { colloquyCodec } from "./colloquy-codec.js";
import { SUBPROTOCOL } from "./frame-codec.js";

const envelope = createEnvelope({
  envelope_id: "e",
  channel_id: "c",
  sender_id: "a",
  event_type: "ag2.msg.text",
  event_data: { text: 'quote " and } bracket' },
});

function refusal(read: () => unknown): InvalidInputError {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidInputError);
    return error as InvalidInputError;
  }
  throw new Error("was accepted");
}

describe("choice of a codec", () => {
  it("follows the subprotocol", () => {
    expect(codecFor(SUBPROTOCOL)).toBe(colloquyCodec);
    expect(codecFor("")).toBe(bareCodec);
    expect(codecFor(null)).toBe(bareCodec);
    expect(codecFor("something.else")).toBe(bareCodec);
  });
});

describe.each([bareCodec, colloquyCodec])("$profile refuses", (codec) => {
  it.each([
    ["text that is no JSON", "{", ""],
    ["an array", "[]", ""],
    ["a bare value", '"ping"', ""],
    ["null", "null", ""],
    ["a missing kind", "{}", "kind"],
    ["a kind of the wrong type", '{"kind":7}', "kind"],
    ["an unknown kind", '{"kind":"subscribe"}', "kind"],
    ["a kind named like a property of objects", '{"kind":"constructor"}', "kind"],
    [
      "a frame of the other direction",
      '{"kind":"welcome","endpoint_id":"e","hub_time":""}',
      "kind",
    ],
    ["a missing field", '{"kind":"hello"}', "name"],
    ["a field of the wrong type", '{"kind":"request","request_id":1,"op":"health"}', "request_id"],
    ["null where text is required", '{"kind":"hello","name":null}', "name"],
    [
      "params that are a list",
      '{"kind":"request","request_id":"1","op":"x","params":[]}',
      "params",
    ],
    ["an unknown status", '{"kind":"receipt","envelope_id":"e","status":"ok"}', "status"],
  ])("%s", (_, text, field) => {
    expect(refusal(() => codec.decodeClientFrame(text)).details).toMatchObject({ field });
  });

  it("an envelope without audience, and names the path", () => {
    const { audience: _, ...rest } = envelope;
    const text = JSON.stringify({ kind: "notify", envelope: rest, recipient_id: "b" });
    const error = refusal(() => codec.decodeHubFrame(text));
    expect(error.details).toMatchObject({ field: "envelope.audience", received: "missing" });
    expect(error.message).toContain('frame "notify", field envelope.audience: received missing.');
  });

  it("a text that nests too deep", () => {
    const text = `{"kind":"hello","name":"a","auth_claim":{"a":${"[".repeat(100)}${"]".repeat(100)}}}`;
    expect(refusal(() => codec.decodeClientFrame(text)).message).toContain("deeper than 64");
  });
});

describe("the bare profile is strict", () => {
  it("refuses an unknown field on the way in, and names it", () => {
    const error = refusal(() => bareCodec.decodeClientFrame('{"kind":"ping","extra":1}'));
    expect(error.message).toContain('Leave out "extra".');
    refusal(() => bareCodec.decodeClientFrame('{"kind":"hello","name":"a","resume_token":"t"}'));
  });

  it("writes no field that only colloquy.v1 knows", () => {
    const written = (frame: Frame) => Object.keys(JSON.parse(bareCodec.encode(frame)));
    expect(
      written({ kind: "welcome", endpoint_id: "e", hub_time: "t", agent_id: "a", heartbeat_ms: 1 }),
    ).toEqual(["kind", "endpoint_id", "hub_time"]);
    expect(
      written({ kind: "notify", envelope, recipient_id: "b", position: 1, attempt: 1 }),
    ).toEqual(["kind", "envelope", "recipient_id"]);
    const failed = { ok: false, result: null, error_code: "error", error_message: "m" };
    expect(
      written({ kind: "response", request_id: "r", ...failed, error_details: { a: 1 } }),
    ).not.toContain("error_details");
  });

  it("writes no field of an envelope that the peer does not know", () => {
    const wide = { ...envelope, hash: "h" };
    const text = bareCodec.encode({ kind: "notify", envelope: wide, recipient_id: "b" });
    expect(JSON.parse(text).envelope).toEqual(envelope);
  });

  it("has no receipts, deltas or hints", () => {
    expect(() => bareCodec.encode({ kind: "receipts", items: [] })).toThrow(TypeError);
    expect(() => bareCodec.encode({ kind: "hint", hint: "drain" })).toThrow(TypeError);
    refusal(() => bareCodec.decodeClientFrame('{"kind":"receipts","items":[]}'));
  });
});

describe("colloquy.v1 can grow", () => {
  it("passes over unknown fields", () => {
    const frame = colloquyCodec.decodeClientFrame('{"kind":"ping","extra":{"deep":1}}');
    expect(frame).toEqual({ kind: "ping" });
  });

  it("takes at most a thousand receipts at once", () => {
    const items = Array.from({ length: 1001 }, () => ({ envelope_id: "e", status: "ack" }));
    const error = refusal(() =>
      colloquyCodec.decodeClientFrame(JSON.stringify({ kind: "receipts", items })),
    );
    expect(error.message).toContain("at most 1000 items");
  });
});

describe("defaults of absent fields", () => {
  it("are those of the reference", () => {
    expect(bareCodec.decodeClientFrame('{"kind":"hello","name":"a"}')).toEqual({
      kind: "hello",
      name: "a",
      auth_scheme: "none",
      auth_claim: {},
      since_envelope_id: null,
    });
    expect(bareCodec.decodeHubFrame('{"kind":"response","request_id":"r","ok":true}')).toEqual({
      kind: "response",
      request_id: "r",
      ok: true,
      result: null,
      error_code: "",
      error_message: "",
    });
  });
});

describe("a notify around serialised text", () => {
  it.each([bareCodec, colloquyCodec])("reads back in $profile", (codec) => {
    const text = codec.encodeNotify(JSON.stringify(envelope), 'b"', 7, 2);
    const place = codec.profile === "ag2" ? {} : { position: 7, attempt: 2 };
    expect(codec.decodeHubFrame(text)).toEqual({
      kind: "notify",
      envelope,
      recipient_id: 'b"',
      ...place,
    });
  });
});
