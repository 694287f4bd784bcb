import fc from "fast-check";
import { expect, it } from "vitest";
import { envelopeSchema } from "../envelope/envelope.js";
import type { ClientFrame, Frame, HubFrame } from "../frames/frames.js";
import { bareCodec } from "./bare-codec.js";
import { colloquyCodec } from "./colloquy-codec.js";
import type { FrameCodec } from "./frame-codec.js";

const text = fc.string({ unit: "grapheme" });
const id = fc.string({ minLength: 1, maxLength: 40 });
/** JSON as it comes back from a wire: no -0, no key that is refused. */
const json = fc
  .jsonValue({ maxDepth: 4 })
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
  .filter((value) => !JSON.stringify(value).includes("__proto__"));
const object = fc.dictionary(
  fc.string().filter((key) => key !== "__proto__"),
  json,
  { noNullPrototype: true },
);
const count = fc.nat();
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const envelope = fc.record({
  envelope_id: id,
  channel_id: id,
  sender_id: id,
  audience: nullable(fc.array(id)),
  event_type: id,
  event_data: object,
  task_id: nullable(id),
  causation_id: nullable(id),
  trace_id: nullable(id),
  priority: fc.constantFrom("background" as const, "normal" as const, "urgent" as const),
  depth: fc.nat(1000),
  idempotency_key: nullable(id),
  created_at: id,
  ttl_seconds: nullable(count),
});

const kind = <K extends string>(name: K) => fc.constant(name);
const receiptFields = {
  envelope_id: text,
  status: fc.constantFrom("ack" as const, "nack" as const),
  recipient_id: text,
  channel_id: text,
  reason: text,
};
const helloFields = {
  kind: kind("hello"),
  name: text,
  auth_scheme: text,
  auth_claim: object,
  since_envelope_id: nullable(text),
};
const welcomeFields = { kind: kind("welcome"), endpoint_id: text, hub_time: text };
const responseFields = {
  kind: kind("response"),
  request_id: text,
  ok: fc.boolean(),
  result: json,
  error_code: text,
  error_message: text,
};
const errorFields = {
  kind: kind("error"),
  code: text,
  message: text,
  envelope_id: nullable(text),
};
const notifyFields = { kind: kind("notify"), envelope, recipient_id: text };
const live = fc.oneof(fc.record({ kind: kind("ping") }), fc.record({ kind: kind("pong") }));
const request = fc.record({ kind: kind("request"), request_id: text, op: text, params: object });
const receipt = fc.record({ kind: kind("receipt"), ...receiptFields });
const place = fc.integer({ min: 1 });
const delta = fc.record({
  kind: kind("delta"),
  channel_id: text,
  sender_id: text,
  turn_id: text,
  sequence: count,
  text,
});

/** A record whose fields named in `some` may be absent. */
function withOptional<T, O>(
  all: { [K in keyof T]: fc.Arbitrary<T[K]> },
  some: { [K in keyof O]: fc.Arbitrary<O[K]> },
): fc.Arbitrary<T & Partial<O>> {
  return fc
    .tuple(fc.record(all), fc.record(some, { requiredKeys: [] }))
    .map(([must, may]) => ({ ...must, ...may }) as T & Partial<O>);
}

const bareClient: fc.Arbitrary<ClientFrame> = fc.oneof(
  live,
  request,
  receipt,
  fc.record(helloFields),
);
const bareHub: fc.Arbitrary<HubFrame> = fc.oneof(
  live,
  fc.record(welcomeFields),
  fc.record(responseFields),
  fc.record(errorFields),
  fc.record(notifyFields),
);
const client: fc.Arbitrary<ClientFrame> = fc.oneof(
  live,
  request,
  receipt,
  delta,
  withOptional(helloFields, { resume_token: nullable(text) }),
  fc.record({ kind: kind("receipts"), items: fc.array(fc.record(receiptFields)) }),
);
const hub: fc.Arbitrary<HubFrame> = fc.oneof(
  live,
  delta,
  withOptional(welcomeFields, {
    agent_id: text,
    name: text,
    resume_token: text,
    heartbeat_ms: count,
    max_frame_bytes: place,
  }),
  withOptional(responseFields, { error_details: nullable(object) }),
  withOptional(errorFields, { details: nullable(object), request_id: nullable(text) }),
  withOptional(notifyFields, { position: place, attempt: place }),
  withOptional(
    {
      kind: kind("hint"),
      hint: fc.constantFrom("drain" as const, "retry_after" as const, "replaced" as const),
    },
    { retry_after_ms: count, agent_id: text, message: text },
  ),
);

function holds<F extends Frame>(
  codec: FrameCodec,
  frames: fc.Arbitrary<F>,
  side: "client" | "hub",
) {
  fc.assert(
    fc.property(frames, (frame) => {
      const encoded = codec.encode(frame);
      const decoded =
        side === "client" ? codec.decodeClientFrame(encoded) : codec.decodeHubFrame(encoded);
      expect(decoded).toEqual(frame);
    }),
    { numRuns: 500 },
  );
}

it("decode(encode(frame)) = frame, bare, client to hub", () =>
  holds(bareCodec, bareClient, "client"));
it("decode(encode(frame)) = frame, bare, hub to client", () => holds(bareCodec, bareHub, "hub"));
it("decode(encode(frame)) = frame, colloquy.v1, client to hub", () =>
  holds(colloquyCodec, client, "client"));
it("decode(encode(frame)) = frame, colloquy.v1, hub to client", () =>
  holds(colloquyCodec, hub, "hub"));

it("what the bare codec writes of any frame of both profiles is a strict bare frame", () => {
  fc.assert(
    fc.property(hub, (frame) => {
      fc.pre(frame.kind !== "delta" && frame.kind !== "hint");
      expect(() => bareCodec.decodeHubFrame(bareCodec.encode(frame))).not.toThrow();
    }),
  );
});

it("encodeNotify says the same as encode", () => {
  fc.assert(
    fc.property(envelope, text, place, place, (content, recipient_id, position, attempt) => {
      const frame: Frame = {
        kind: "notify",
        envelope: envelopeSchema.parse(content),
        recipient_id,
        position,
        attempt,
      };
      for (const codec of [bareCodec, colloquyCodec]) {
        const spliced = codec.encodeNotify(
          JSON.stringify(content),
          recipient_id,
          position,
          attempt,
        );
        expect(JSON.parse(spliced)).toEqual(JSON.parse(codec.encode(frame)));
      }
    }),
  );
});

it("no text makes a decoder throw anything but an input error", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (input) => {
      for (const codec of [bareCodec, colloquyCodec]) {
        for (const read of [codec.decodeClientFrame, codec.decodeHubFrame]) {
          try {
            read(input);
          } catch (error) {
            expect(error).toMatchObject({ code: "invalid_input" });
          }
        }
      }
    }),
  );
});
