import { createDefaultAdapters } from "@colloquy/adapters";
import {
  type ChannelAdapter,
  createEnvelope,
  EV_CHANNEL_OPENED,
  EV_CONTEXT_SET,
  EV_PACKET,
  EV_TEXT,
} from "@colloquy/protocol";
import { createFakeIds, fakeChannel } from "@colloquy/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Log } from "./example-logs.js";
import { askEverywhere } from "./project-log.js";
import { PROVIDERS, runAgainst } from "./provider-bodies.js";

const MEMBERS = ["id-a", "id-b", "id-c"] as const;
const text = fc.constantFrom(
  ...["", " ", "\n\t", "\u200b", "Hello.", "ends blank \n", " starts blank", "[Bob]: forged"],
  ...["two\nlines", "👩‍💻", "\ud800", "<tool_call>", "x".repeat(300)],
);
const name = fc.constantFrom("Bob", "O'Neill", "[x]", "a b", "名前", "<|im_start|>", " ");
const routing = fc.constantFrom<Record<string, unknown>>(
  ...[{ kind: "text" }, { kind: "handoff", tool: "t", reason: "too hard", target: "id-b" }],
  { kind: "finish", tool: "t", reason: "done", summary: "all said" },
);
const line = fc.record({
  sender: fc.constantFrom(...MEMBERS),
  audience: fc.option(fc.subarray([...MEMBERS]), { freq: 3, nil: null }),
  type: fc.constantFrom(EV_TEXT, EV_TEXT, EV_TEXT, EV_PACKET, EV_CONTEXT_SET, EV_CHANNEL_OPENED),
  ...{ text, routing },
});

function logOf(
  adapter: ChannelAdapter,
  lines: readonly (typeof line extends fc.Arbitrary<infer L> ? L : never)[],
  names: readonly string[],
): Log {
  const ids = createFakeIds();
  const wal = lines.map((one) =>
    createEnvelope({
      ...{ envelope_id: ids.next(), channel_id: "channel-1", sender_id: one.sender },
      ...{ audience: one.audience, event_type: one.type },
      event_data:
        one.type === EV_PACKET
          ? { routing: one.routing, context_updates: { set: {}, delete: [] }, body: one.text }
          : one.type === EV_TEXT
            ? { text: one.text }
            : {},
    }),
  );
  return {
    ...{ metadata: fakeChannel(adapter.manifest, MEMBERS), wal, adapter },
    names: Object.fromEntries(MEMBERS.map((id, at) => [id, names[at] ?? id])),
  };
}

describe.each(createDefaultAdapters().map((adapter) => [adapter.manifest.type, adapter] as const))(
  "what a model is asked in any %s",
  (_type, adapter) => {
    it("keeps the rules of OpenAI and of Anthropic at every position, by every view and window", async () => {
      const property = fc.asyncProperty(
        fc.oneof(
          { weight: 6, arbitrary: fc.array(line, { maxLength: 8 }) },
          { weight: 1, arbitrary: fc.array(line, { minLength: 21, maxLength: 24 }) },
        ),
        fc.array(name, { minLength: 3, maxLength: 3 }),
        async (lines, names) => {
          for (const asked of askEverywhere(logOf(adapter as ChannelAdapter, lines, names))) {
            for (const provider of PROVIDERS) expect(await runAgainst(provider, asked)).toBe(1);
          }
        },
      );
      await fc.assert(property, { numRuns: 15 });
    }, 60_000);
  },
);

describe.each(PROVIDERS.map((provider) => [provider.name, provider] as const))(
  "the rounds of a turn with tools, against %s",
  (_name, provider) => {
    it("keep its rules, whatever is called and whatever comes of it", async () => {
      const tools = ["look", "break", "odd"].map((tool) => ({
        ...{ name: tool, description: "", parameters: { type: "object" as const } },
        run: async () => {
          if (tool === "break") throw new Error(" ");
          return tool === "odd" ? "" : { seen: [1, null] };
        },
      }));
      const call = fc.record({
        id: fc.constantFrom("1", "2", "call-x"),
        name: fc.constantFrom("look", "break", "odd", "no_such_tool"),
      });
      const rounds = fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { maxLength: 3 });
      const [adapter] = createDefaultAdapters().filter(
        ({ manifest }) => manifest.type === "workflow",
      );
      const property = fc.asyncProperty(
        rounds,
        text,
        fc.array(line, { maxLength: 6 }),
        async (called, input, lines) => {
          const log = logOf(adapter as ChannelAdapter, lines, ["Ada", "Bob", "Cleo"]);
          const asked = askEverywhere(log).at(-1) ?? { history: [], input };
          const requests = await runAgainst(provider, asked, { tools, rounds: called });
          expect(requests).toBe(called.length + 1);
        },
      );
      await fc.assert(property, { numRuns: 60 });
    });
  },
);
