import { fakeChannel, fakeEnvelope, runAdapterConformance } from "@colloquy/testkit";
import { createConsultingAdapter } from "./consulting-adapter.js";

const { manifest } = createConsultingAdapter();
const channel = fakeChannel(manifest, ["agent-a", "agent-b"]);
const waiting = fakeChannel(manifest, ["agent-a", "agent-b"], {
  on_silence: "wait",
  capability: "math",
  view: { name: "named_transcript", args: {} },
});
const course = [fakeEnvelope(channel, "agent-a"), fakeEnvelope(channel, "agent-b")];

runAdapterConformance("consulting", createConsultingAdapter, [
  { name: "question and answer", channel, course, closes: "consulting_complete" },
  { name: "with knobs", channel: waiting, course, closes: "consulting_complete" },
]);
