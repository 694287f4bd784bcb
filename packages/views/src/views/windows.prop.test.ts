import type { ViewContext, ViewPolicy } from "@colloquy/protocol";
import {
  arbitraryWal,
  assertStrictRoles,
  renderViewWal,
  VIEW_SPEAKERS,
  viewChannel,
} from "@colloquy/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toStrictRoles } from "../roles/to-strict-roles.js";
import { sliceWal } from "../slice/slice-wal.js";
import { createFullTranscript } from "./full-transcript.js";
import { createNamedTranscript } from "./named-transcript.js";
import { createNamedWindowedSummary } from "./named-windowed-summary.js";
import { createWindowedSummary } from "./windowed-summary.js";

const SIZES = Array.from({ length: 20 }, (_, i) => i + 1);
const context: ViewContext = {
  participantId: VIEW_SPEAKERS[2],
  channel: viewChannel,
  render: renderViewWal,
  nameFor: (id) => id.toUpperCase(),
};
type Wal = Parameters<typeof sliceWal>[0];
const project = (view: ViewPolicy, wal: Wal) =>
  view.project(sliceWal(wal, { ...context, needs: view.needs }), context);

describe.each([
  { create: createWindowedSummary, whole: createFullTranscript(), shown: (id: string) => id },
  {
    create: createNamedWindowedSummary,
    whole: createNamedTranscript(),
    shown: (id: string) => id.toUpperCase(),
  },
])("$create.name over arbitrary WALs", ({ create, whole, shown }) => {
  it.each(SIZES)(
    "F-043 a window of %i is the end of the whole, and counts the rest",
    (recent_n) => {
      fc.assert(
        fc.property(arbitraryWal(), (wal) => {
          const all = project(whole, wal);
          const elided = Math.max(0, all.length - recent_n);
          const window = project(create({ recent_n }), wal);
          const summary = elided === 0 ? [] : window.slice(0, 1);
          expect(window.slice(summary.length)).toStrictEqual(all.slice(elided));
          const slice = sliceWal(wal, { ...context, needs: { last: recent_n } });
          const names = [...new Set(slice.left_out.senders.map(shown))].sort().join(", ");
          const noun = elided === 1 ? "message" : "messages";
          expect(summary).toStrictEqual(
            elided === 0
              ? []
              : [
                  {
                    role: "compaction_summary",
                    content: `Earlier in this channel: ${elided} ${noun} from ${names}.`,
                    event_count: elided,
                  },
                ],
          );
        }),
        { numRuns: 40 },
      );
    },
  );

  it.each(SIZES)("F-037 F-038 a window of %i keeps strict roles", (recent_n) => {
    fc.assert(
      fc.property(arbitraryWal(), (wal) => {
        const history = project(create({ recent_n }), wal);
        assertStrictRoles(toStrictRoles(history, { endWithUser: true }), { lastRole: "user" });
      }),
      { numRuns: 40 },
    );
  });
});
