import { readFileSync } from "node:fs";
import { createEnvelope, EV_TEXT, type ViewPolicy } from "@colloquy/protocol";
import { renderViewWal, runViewConformance, viewChannel } from "@colloquy/testkit";
import { expect, it } from "vitest";
import * as z from "zod";
import {
  createDefaultViewRegistry,
  identityName,
  lineMessage,
  shownLines,
  sliceWal,
  summaryMessage,
} from "./index.js";

// docs/views.md shows the lines between the marks.
// begin example
const args = z.strictObject({ opening_n: z.int().min(1), recent_n: z.int().min(1) });

/** The first lines of a channel, where the task stands, and the newest ones. */
function createOpeningAndRecent({ opening_n, recent_n }: z.infer<typeof args>): ViewPolicy {
  return {
    name: "opening_and_recent",
    needs: "all",
    project(slice, context) {
      const lines = shownLines(slice.envelopes, context);
      const from = Math.max(opening_n, lines.length - recent_n);
      const between = lines.slice(opening_n, from).map((line) => line.envelope.sender_id);
      const messages = lines.map((line) => lineMessage(line, context, { labelled: true }));
      return [
        ...messages.slice(0, opening_n),
        ...summaryMessage({ count: between.length, senders: between }, context.nameFor),
        ...messages.slice(from),
      ];
    },
  };
}

const views = createDefaultViewRegistry();
views.register("opening_and_recent", args, createOpeningAndRecent);
// end example

runViewConformance("opening_and_recent", () =>
  createOpeningAndRecent({ opening_n: 2, recent_n: 3 }),
);

it("F-043 a custom view can pin the original request and says how many turns it leaves out", () => {
  const wal = Array.from({ length: 41 }, (_, at) =>
    createEnvelope({
      channel_id: viewChannel.channel_id,
      sender_id: at === 0 ? "A" : "B",
      event_type: EV_TEXT,
      event_data: { text: `turn ${at + 1}` },
    }),
  );
  const view = views.create({
    name: "opening_and_recent",
    args: { opening_n: 1, recent_n: 24 },
  });
  const context = {
    participantId: "C",
    channel: viewChannel,
    render: renderViewWal,
    nameFor: identityName,
  };
  const messages = view.project(sliceWal(wal, { ...context, needs: view.needs }), context);
  expect(messages).toHaveLength(1 + 1 + 24);
  expect(messages[0]?.content).toBe("[A]: turn 1");
  expect(messages[1]).toMatchObject({
    content: "Earlier in this channel: 16 messages from B.",
    event_count: 16,
  });
  expect(messages.at(-1)?.content).toBe("[B]: turn 41");
});

it("stands in the documentation word for word", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const [, example = ""] = read("./custom-view.test.ts").split(/\/\/ (?:begin|end) example\n/);
  expect(example.trim()).not.toBe("");
  expect(read("../../../docs/views.md")).toContain(example.trim());
});
