import { runViewConformance } from "@colloquy/testkit";
import { createFullTranscript } from "./full-transcript.js";
import { createNamedTranscript } from "./named-transcript.js";
import { createNamedWindowedSummary } from "./named-windowed-summary.js";
import { createWindowedSummary } from "./windowed-summary.js";

runViewConformance("full_transcript", createFullTranscript);
runViewConformance("named_transcript", createNamedTranscript);
for (const recent_n of [1, 3, 10, 50]) {
  runViewConformance(`windowed_summary of ${recent_n}`, () => createWindowedSummary({ recent_n }));
  runViewConformance(`named_windowed_summary of ${recent_n}`, () =>
    createNamedWindowedSummary({ recent_n }),
  );
}
