import { createDefaultAdapters } from "@colloquy/adapters";
import type { EnvelopeDraft, NetworkError, RuleInput } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench } from "@colloquy/testkit";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

const RULE = fc.record({
  access: fc.record({ outbound_to: fc.constantFrom(["*"], ["b"]) }),
  limits: fc.record({
    rate: fc.record({ per_minute: fc.constantFrom(0, 60), burst: fc.integer({ min: 0, max: 3 }) }),
    delegation_depth: fc.constantFrom(0, 2),
    inbox: fc.record({
      max_pending: fc.constantFrom(0, 2, 4),
      overflow: fc.constantFrom("reject", "drop_oldest"),
    }),
  }),
}) satisfies fc.Arbitrary<RuleInput>;

const STEP = fc.record({
  channel: fc.nat({ max: 3 }),
  sender: fc.nat({ max: 3 }),
  audience: fc.constantFrom(null, [0], [1, 2], []),
  event_type: fc.constantFrom(
    "ag2.msg.text",
    "ag2.msg.text",
    "app.note",
    "ag2.context.set",
    "ag2.channel.closed",
    "",
  ),
  data: fc.constantFrom({ text: "hello" }, { set: { a: 1 } }, { text: 1 }),
  depth: fc.nat({ max: 3 }),
  key: fc.constantFrom(null, null, "k"),
  /** How far back its cause lies among what was posted; null for none. */
  cause: fc.constantFrom(null, null, 0, 1, 3),
  pause: fc.constantFrom(0, 0, 500, 2_000),
  closes: fc.integer({ min: 0, max: 15 }).map((n) => n === 0),
});

it("a dry run says exactly what a post then meets, and leaves no trace", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(RULE, RULE, RULE),
      fc.array(STEP, { minLength: 1, maxLength: 25 }),
      async (rules, steps) => {
        const clock = createFakeClock();
        const adapters = createDefaultAdapters();
        const store = createMemoryStore();
        const ids = createFakeIds();
        const { hub, context } = await assembleHub({ store, clock, ids, adapters });
        const { join, open } = createHubBench(hub);
        const names = ["a", "b", "c"];
        const agents: string[] = [];
        for (const [index, rule] of rules.entries()) {
          agents.push(await join(names[index] ?? "", { rule: { ...rule, access: {} } }));
        }
        const [a = "", b = "", c = ""] = agents;
        const channels = [
          (await open("conversation", a, [b])).channel_id,
          (await open("discussion", b, [a, c])).channel_id,
          (await open("consulting", a, [b])).channel_id,
        ];
        for (const [index, { access }] of rules.entries()) {
          const id = agents[index] ?? "";
          const rule = await hub.getRule(id);
          await hub.setRule(id, { ...rule, access: { ...rule.access, ...access } });
        }
        const posted: string[] = [];
        const trace = async () => ({
          wals: await Promise.all(channels.map((id) => hub.readWal(id))),
          used: agents.map((id) => {
            const entry = context.agents.get(id);
            return entry === undefined ? 0 : context.allowances.usedBy(entry);
          }),
          pending: agents.map((id) => context.delivery.pending(id)),
          audit: await hub.audit.readAll(),
        });
        for (const step of steps) {
          clock.advance(step.pause);
          const channel_id = channels[step.channel] ?? "nowhere";
          if (step.closes && step.channel < 3) await hub.closeChannel(channel_id);
          const draft: EnvelopeDraft = {
            ...{ channel_id, event_type: step.event_type, event_data: step.data },
            ...{ sender_id: agents[step.sender] ?? "nobody", depth: step.depth },
            audience: step.audience?.map((index) => agents[index] ?? "") ?? null,
            idempotency_key: step.key,
            causation_id: step.cause === null ? null : (posted.at(-1 - step.cause) ?? "unknown"),
          };
          const before = await trace();
          const foreseen = await hub.wouldAccept(draft);
          expect(await trace()).toEqual(before);
          const met = await hub.post(draft).then(
            ({ envelope_id }) => {
              posted.push(envelope_id);
              return { accepted: true } as const;
            },
            ({ code, message, details }: NetworkError) => {
              const { refusal_id: _, ...facts } = { refusal_id: "", ...details };
              const own = Object.keys(facts).length === 0 ? null : facts;
              return { accepted: false, code, message, details: own } as const;
            },
          );
          expect(foreseen).toEqual(met);
        }
        await hub.close();
      },
    ),
    { numRuns: 60 },
  );
});
