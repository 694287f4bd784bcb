import { channelMetadataSchema, checkAppend, envelopeSchema } from "@colloquy/protocol";
import { expect, it } from "vitest";
import { createChainMaker } from "./stored-chain.js";

function makeLog(seed: number) {
  const make = createChainMaker(seed);
  const channels = [make.channel(), make.channel({ members: ["carol"], state: "pending" })];
  const ids = channels.map((channel) => channel.channel_id);
  const envelopes = ids.flatMap((id) => [...make.take(id, 2), ...make.take(ids[0] ?? "", 1)]);
  return { make, channels, ids, envelopes };
}

it("makes valid channels and envelopes that continue the log, the same ones every time", () => {
  const { make, channels, ids, envelopes } = makeLog(3);
  for (const channel of channels) expect(channelMetadataSchema.parse(channel)).toEqual(channel);
  expect(channels[1]).toMatchObject({ creator_id: "carol", state: "pending" });
  for (const { body, envelope_id } of envelopes) {
    expect(envelopeSchema.parse(JSON.parse(body))).toMatchObject({ envelope_id });
  }
  const empty = { position: 0, row: 0, hash: "" };
  const end = { last_row: 0, last_envelope_id: "", headOf: () => empty };
  expect(checkAppend(envelopes, end)).toEqual(new Map(ids.map((id) => [id, make.head(id)])));
  expect(makeLog(3).envelopes).toEqual(envelopes);
  expect(makeLog(4).envelopes).not.toEqual(envelopes);
});

it("goes back to a mark and makes envelopes that fit again, under new ids", () => {
  const { make, ids } = makeLog(0);
  const id = ids[0] ?? "";
  const mark = make.mark();
  const [lost] = make.take(id, 1);
  make.rewind(mark);
  const again = make.next(id, { sender_id: "bob", text: "again", causation_id: "x" });
  expect(again).toMatchObject({
    row: lost?.row,
    position: lost?.position,
    prev_row: lost?.prev_row,
    sender_id: "bob",
    causation_id: "x",
  });
  expect(again.envelope_id > (lost?.envelope_id ?? "")).toBe(true);
});
