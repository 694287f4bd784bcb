import { createEnvelope, type Envelope } from "@colloquy/protocol";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { chainHash, digestContent, headerOf } from "./hash-chain.js";
import { sealEnvelope } from "./seal-envelope.js";

const TRICKY = [',"event_data":', '","event_data":{"a":1}', "\\", '"', "\u2028", "\ud800"];
const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom(...TRICKY));
const long = fc.string({ minLength: 4_000, maxLength: 5_000 });

const envelopes: fc.Arbitrary<Envelope> = fc
  .record({
    channel_id: text,
    sender_id: text,
    event_type: text,
    causation_id: fc.option(text),
    idempotency_key: fc.option(text),
    audience: fc.option(fc.array(text, { maxLength: 3 })),
    event_data: fc.dictionary(text, fc.oneof(fc.jsonValue(), text, long), { maxKeys: 4 }),
  })
  .map((fields) => ({
    ...createEnvelope(fields),
    event_data: JSON.parse(JSON.stringify(fields.event_data)) as Envelope["event_data"],
  }));

it("the body is the envelope's JSON, and the hash is that of header and content", () => {
  const property = fc.property(envelopes, fc.nat(), text, (envelope, position, prevHash) => {
    const content = JSON.stringify(envelope.event_data);
    const sealed = sealEnvelope(envelope, content, { position, prevHash });
    expect(sealed.body).toBe(JSON.stringify(envelope));
    expect(sealed.digest).toBe(digestContent(content));
    const read = JSON.parse(sealed.body) as Record<string, unknown>;
    expect(sealed.hash).toBe(chainHash(prevHash, headerOf(read, sealed.digest, position)));
  });
  void fc.assert(property);
});
