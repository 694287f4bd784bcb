import type { Envelope } from "@colloquy/protocol";
import { settle } from "@colloquy/testkit";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDeliveryBench } from "../../../../test/edge/delivery-bench.js";

const AGENTS = ["a", "b", "c"] as const;
type Agent = (typeof AGENTS)[number];

const agent = fc.constantFrom<Agent>(...AGENTS);
const step = fc.oneof(
  fc.record({
    do: fc.constant("post" as const),
    channel: fc.nat(1),
    by: agent,
    to: fc.option(agent),
  }),
  fc.record({ do: fc.constant("ack" as const), by: agent, pick: fc.nat() }),
  fc.record({ do: fc.constant("nack" as const), by: agent, pick: fc.nat() }),
  fc.record({ do: fc.constant("connect" as const), by: agent, replays: fc.boolean() }),
  fc.record({ do: fc.constant("drop" as const), by: agent }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.nat(3_000) }),
  fc.record({ do: fc.constant("restart" as const) }),
);

describe("delivery under any course of events", () => {
  it("R1 R2 R3 loses nothing, keeps the order, never moves a cursor back", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const limits = { deliveryWindow: 3, maxDeliveryAttempts: 1_000 };
        const bench = createDeliveryBench({ limits });
        const ids = Object.fromEntries(AGENTS.map((name) => [name, bench.register(name)]));
        const idOf = (name: Agent): string => ids[name] ?? "";
        const members = AGENTS.map(idOf);
        const channels = [bench.open(...members), bench.open(...members)] as const;
        const due = new Map<Agent, Envelope[]>(AGENTS.map((name) => [name, []]));
        const settled = new Map<Agent, Set<string>>(AGENTS.map((name) => [name, new Set()]));
        const links = new Map<Agent, ReturnType<typeof bench.connect>>();
        const cursors = new Map<string, string>();

        const checkCursors = (): void => {
          for (const name of AGENTS) {
            for (const { id } of channels) {
              const cursor = bench.delivery.cursor(idOf(name), id);
              expect(cursor >= (cursors.get(name + id) ?? "")).toBe(true);
              cursors.set(name + id, cursor);
            }
          }
        };
        const outstanding = (name: Agent): Envelope[] =>
          (due.get(name) ?? []).filter((e) => settled.get(name)?.has(e.envelope_id) !== true);
        /** Per channel, what a connection is sent for the first time is in WAL order. */
        const checkOrder = (name: Agent): void => {
          for (const { id } of channels) {
            const sent = (links.get(name)?.peer.notifies ?? []).filter(
              (n) => n.envelope.channel_id === id,
            );
            const first = [...new Set(sent.map((n) => n.position))];
            const live = first.filter((position) => position > (first[0] ?? 0));
            expect(live).toEqual([...live].sort((x, y) => x - y));
          }
        };

        for (const s of steps) {
          if (s.do === "post") {
            const audience = s.to === null ? null : [idOf(s.to)];
            const posted = bench.post(channels[s.channel] ?? channels[0], idOf(s.by), { audience });
            for (const name of AGENTS) {
              const isDue = name !== s.by && (s.to === null || name === s.to);
              if (isDue) due.get(name)?.push(posted);
            }
          } else if (s.do === "ack" || s.do === "nack") {
            const open = outstanding(s.by);
            const envelope = open[s.pick % Math.max(1, open.length)];
            if (envelope === undefined) continue;
            expect(bench[s.do](idOf(s.by), envelope)).toBe(true);
            if (s.do === "ack") settled.get(s.by)?.add(envelope.envelope_id);
          } else if (s.do === "connect") {
            links.set(s.by, bench.connect(idOf(s.by)));
            if (s.replays) await bench.delivery.replay(idOf(s.by), "");
          } else if (s.do === "drop") {
            bench.delivery.unbind(idOf(s.by));
          } else if (s.do === "wait") {
            await bench.clock.advanceAsync(s.ms);
          } else {
            await settle();
            await bench.restart();
            links.clear();
          }
          await settle();
          checkCursors();
          for (const name of AGENTS) {
            expect(bench.delivery.pending(idOf(name))).toBe(outstanding(name).length);
          }
        }

        for (const name of AGENTS) {
          const missing = outstanding(name);
          const link = bench.connect(idOf(name));
          links.set(name, link);
          await bench.delivery.replay(idOf(name), "");
          const got: string[] = [];
          for (let n = 0; n < link.peer.notifies.length; n += 1) {
            const envelope = link.peer.notifies[n]?.envelope;
            if (envelope === undefined) break;
            got.push(envelope.envelope_id);
            bench.ack(idOf(name), envelope);
            await settle();
          }
          checkOrder(name);
          expect([...got].sort()).toEqual(missing.map((e) => e.envelope_id));
          expect(bench.delivery.pending(idOf(name))).toBe(0);
          for (const channel of channels) {
            const record = bench.records.get(`${idOf(name)} ${channel.id}`);
            if (record !== undefined) expect(record.above).toEqual([]);
          }
        }
        expect(bench.delivery.totals.pending).toBe(0);
      }),
      { numRuns: 150 },
    );
  });
});
