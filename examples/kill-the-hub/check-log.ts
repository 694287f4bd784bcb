import assert from "node:assert/strict";
import { verifyChain } from "@colloquy/hub";
import { type Envelope, EV_TEXT, type Store, type StoredEnvelope } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import type { AgentReport, Placed } from "./messages.js";

/** What must be in the log after a run. */
export interface Expected {
  readonly data: string;
  readonly discussion: string;
  readonly turns: number;
  /** One per agent, in the order in which they speak. */
  readonly reports: readonly AgentReport[];
}

/** Figures of a log that has passed. */
export interface LogFigures {
  readonly envelopes: number;
  readonly acknowledged: number;
  readonly delivered: number;
}

/** Reads the data file beside the hub, and throws when anything is lost, doubled or out of order. */
export async function checkLog(expected: Expected): Promise<LogFigures> {
  const { reports } = expected;
  const store = await openSqliteStore({ path: expected.data, readonly: true });
  try {
    const log = await readAll(store);
    const findings = [];
    for await (const finding of verifyChain(log)) findings.push(finding);
    assert.deepEqual(findings, [], "the hash chain of every channel holds");

    const places = new Map(log.map((stored) => [stored.envelope_id, placeOf(stored)]));
    assert.equal(places.size, log.length, "no envelope stands in the log twice");
    const acknowledged = reports.flatMap((report) => report.acknowledged);
    const delivered = reports.flatMap((report) => report.delivered);
    for (const placed of [...acknowledged, ...delivered]) {
      assert.deepEqual(
        places.get(placed.envelope_id),
        placed,
        "what was said to be there is there",
      );
    }
    for (const id of reports.flatMap(({ answers }) => answers)) {
      assert.ok(places.has(id), "every acknowledged answer is there");
    }
    const envelopes = log.map(({ body }) => JSON.parse(body) as Envelope);
    checkKeys(envelopes);
    checkNotes(envelopes, acknowledged.length);
    await checkDiscussion(store, envelopes, expected);
    return {
      envelopes: log.length,
      acknowledged: acknowledged.length,
      delivered: delivered.length,
    };
  } finally {
    await store.close();
  }
}

async function readAll(store: Pick<Store, "readLog">): Promise<StoredEnvelope[]> {
  const log: StoredEnvelope[] = [];
  for (;;) {
    const page = await store.readLog(log.at(-1)?.row ?? 0);
    if (page.length === 0) return log;
    log.push(...page);
  }
}

function placeOf({ channel_id, envelope_id, position }: StoredEnvelope): Placed {
  return { channel_id, envelope_id, position };
}

/** A post that was sent again after the break is one envelope. */
function checkKeys(envelopes: readonly Envelope[]): void {
  const keyed = envelopes.filter(({ idempotency_key: key }) => key !== null);
  const keys = keyed.map((one) => [one.channel_id, one.sender_id, one.idempotency_key].join(" "));
  assert.equal(new Set(keys).size, keys.length, "no post was taken twice");
}

/** Each loop waits for an answer before it goes on, so its notes stand in the order of counting. */
function checkNotes(envelopes: readonly Envelope[], acknowledged: number): void {
  const next = new Map<string, number>();
  let notes = 0;
  for (const { event_type, event_data, sender_id } of envelopes) {
    if (event_type !== "example.note") continue;
    notes += 1;
    const loop = `${sender_id} ${String(event_data["loop"])}`;
    assert.equal(event_data["number"], next.get(loop) ?? 0, "notes stand in order, without a gap");
    next.set(loop, Number(event_data["number"]) + 1);
  }
  assert.equal(notes, acknowledged, "every note was acknowledged in the end");
}

/** The discussion went on with the right speaker, and ended when it should. */
async function checkDiscussion(
  store: Pick<Store, "readChannel">,
  envelopes: readonly Envelope[],
  { discussion, turns, reports }: Expected,
): Promise<void> {
  const texts = envelopes.filter(
    ({ channel_id, event_type }) => channel_id === discussion && event_type === EV_TEXT,
  );
  assert.equal(texts.length, turns);
  for (const [at, { sender_id, causation_id, event_data }] of texts.entries()) {
    assert.equal(
      sender_id,
      reports[at % reports.length]?.agent_id,
      `turn ${at + 1} is the right one's`,
    );
    assert.equal(causation_id, texts[at - 1]?.envelope_id ?? null, "it answers the one before it");
    assert.match(String(event_data["text"]), new RegExp(` says ${at + 1}$`));
  }
  const channel = await store.readChannel(discussion);
  assert.equal(channel?.close_reason, "max_turns");
}
