import { allOperations, EV_TEXT, type OperationName } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { openConnectionBench } from "./connection-bench.js";

/** Values that no caller means: wrong kinds, lone surrogates, names of prototypes, huge texts and lists. */
const HOSTILE: readonly unknown[] = [
  ...[null, true, -1, 0, 1.5, 1e300, "", "\0", "\ud800", "__proto__", "constructor", "toString"],
  ...["*".repeat(1_000), "x".repeat(200_000), [], ["__proto__"], [[[]]], {}],
  JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":1}}'),
  Array.from({ length: 1_000 }, () => "x"),
];

/** Longest message that may come back, with what says that it was cut. */
const MAX_ANSWER = 4_010;

async function open() {
  const bench = await openConnectionBench();
  bench.acceptInvitations();
  const ada = await bench.join("ada");
  const bob = await bench.join("bob");
  const channel_id = await bench.open("conversation", ada.id, bob.id);
  const said = { channel_id, sender_id: ada.id, event_type: EV_TEXT, event_data: { text: "hi" } };
  await bench.hub.postEnvelope(said);
  const envelope = (await bench.hub.readWal(channel_id)).at(-1);
  if (envelope === undefined) throw new Error("nothing was said");
  const { secret } = await bench.hub.keys.issue({ name: "root", role: "operator" });
  const operator = bench.connect();
  await operator.call("authenticate", { scheme: "api_key", claim: { token: secret } });
  const sound: Readonly<Record<string, unknown>> = {
    ...{ channel_id, agent_id: ada.id, by: ada.id, recipient_id: ada.id, owner_id: ada.id },
    ...{ envelope_id: envelope.envelope_id, key_id: "none", name: "zoe", scheme: "none" },
    ...{ envelope: { ...envelope, envelope_id: "" }, names: [], agent_ids: [], limit: 10 },
  };
  return { bench, links: [ada, operator], sound };
}

type Open = Awaited<ReturnType<typeof open>>;

function paramsOf(op: OperationName, sound: Open["sound"]) {
  const fields = Object.keys(allOperations[op].params.shape);
  const known = fields.flatMap((field) => (field in sound ? [[field, sound[field]]] : []));
  return { fields, params: Object.fromEntries(known) as Record<string, unknown> };
}

describe("hostile parameters", { timeout: 60_000 }, () => {
  it.each(Object.keys(allOperations) as OperationName[])(
    "%s answers every one of them, in few words and without a fault of the hub",
    async (op) => {
      const { bench, links, sound } = await open();
      const { fields, params } = paramsOf(op, sound);
      for (const field of [...fields, "__proto__"]) {
        for (const value of HOSTILE) {
          for (const link of links) {
            const { error_code, error_message } = await link.request(op, {
              ...params,
              [field]: value,
            });
            expect(`${field}: ${error_code}`).not.toBe(`${field}: internal`);
            expect((error_message ?? "").length).toBeLessThanOrEqual(MAX_ANSWER);
          }
        }
      }
      expect(bench.logger.at("error")).toEqual([]);
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    },
  );
});
