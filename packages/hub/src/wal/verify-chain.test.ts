import { createEnvelope, EV_TEXT, type StoredEnvelope } from "@colloquy/protocol";
import { createFakeIds } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { sealEnvelope } from "./seal-envelope.js";
import { type ChainFinding, type VerifyOptions, verifyChain } from "./verify-chain.js";

/** A WAL of texts in two channels, in turn. */
function makeLog(length: number): StoredEnvelope[] {
  const ids = createFakeIds();
  const ends = new Map<string, StoredEnvelope>();
  return Array.from({ length }, (_, index) => {
    const channel_id = index % 2 === 0 ? "even" : "odd";
    const before = ends.get(channel_id);
    const position = (before?.position ?? 0) + 1;
    const envelope = {
      ...createEnvelope({ channel_id, event_type: EV_TEXT, event_data: { text: `${index}` } }),
      envelope_id: ids.next(),
      sender_id: "alice",
    };
    const content = JSON.stringify(envelope.event_data);
    const sealed = sealEnvelope(envelope, content, { position, prevHash: before?.hash ?? "" });
    const stored = {
      row: index + 1,
      channel_id,
      position,
      prev_row: before?.row ?? 0,
      envelope_id: envelope.envelope_id,
      sender_id: "alice",
      causation_id: null,
      event_type: EV_TEXT,
      hash: sealed.hash,
      content_digest: sealed.digest,
      body: sealed.body,
    };
    ends.set(channel_id, stored);
    return stored;
  });
}

async function findings(
  log: Iterable<StoredEnvelope>,
  options?: VerifyOptions,
): Promise<[number, ChainFinding["fault"]][]> {
  const found: [number, ChainFinding["fault"]][] = [];
  for await (const { row, fault } of verifyChain(log, options)) found.push([row, fault]);
  return found;
}

/** The log with one envelope changed. */
function change(at: number, part: Partial<StoredEnvelope>): StoredEnvelope[] {
  return makeLog(8).map((stored) => (stored.row === at ? { ...stored, ...part } : stored));
}

const other = "f".repeat(64);

describe("verifyChain", () => {
  it("finds nothing in a sound log of several channels", async () => {
    expect(await findings(makeLog(8))).toEqual([]);
  });

  it("takes a channel up in its middle when told what stands before", async () => {
    const log = makeLog(8).filter(({ channel_id }) => channel_id === "odd");
    const [first, ...rest] = log;
    const startOf = () => ({ position: first?.position ?? 0, hash: first?.hash ?? "" });
    expect(await findings(rest, { startOf })).toEqual([]);
    expect(await findings(rest)).toEqual([
      [4, "hole"],
      [4, "hash"],
    ]);
  });

  it("finds a missing envelope as a hole, and the hash that does not follow", async () => {
    const log = makeLog(8).filter(({ row }) => row !== 3);
    expect(await findings(log)).toEqual([
      [5, "hole"],
      [5, "hash"],
    ]);
  });

  it("finds a changed content by its digest", async () => {
    const body = makeLog(8)[4]?.body.replace('"text":"4"', '"text":"5"') ?? "";
    expect(await findings(change(5, { body }))).toEqual([[5, "content"]]);
  });

  it("finds a changed content whose digest was made to fit by the hash", async () => {
    expect(await findings(change(5, { content_digest: other }))).toEqual([
      [5, "content"],
      [5, "hash"],
    ]);
  });

  it("finds a changed sender, in the body and beside it", async () => {
    const body = makeLog(8)[4]?.body.replace('"alice"', '"mallory"') ?? "";
    expect(await findings(change(5, { body }))).toEqual([
      [5, "hash"],
      [5, "column"],
    ]);
    expect(await findings(change(5, { sender_id: "mallory" }))).toEqual([[5, "column"]]);
  });

  it("finds a changed hash at the envelope and at the one that builds on it", async () => {
    expect(await findings(change(5, { hash: other }))).toEqual([
      [5, "hash"],
      [7, "hash"],
    ]);
  });

  it("finds a body that is no JSON object and goes on behind it", async () => {
    for (const body of ["{", "[]", "null", ""]) {
      expect(await findings(change(5, { body }))).toEqual([[5, "bad_body"]]);
    }
  });

  it("finds ids that do not grow", async () => {
    const log = makeLog(8);
    const first = log[0];
    const swapped = log.map((stored) =>
      stored.row === 3 ? { ...stored, envelope_id: first?.envelope_id ?? "" } : stored,
    );
    expect(await findings(swapped)).toEqual([
      [3, "id_order"],
      [3, "column"],
    ]);
  });
});
