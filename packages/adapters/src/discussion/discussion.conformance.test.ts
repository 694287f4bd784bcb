import { fakeChannel, fakeEnvelope, runAdapterConformance } from "@colloquy/testkit";
import { createDiscussionAdapter } from "./discussion-adapter.js";

const { manifest } = createDiscussionAdapter();
const ids = ["agent-a", "agent-b", "agent-c"];
const channel = fakeChannel(manifest, ids);
const capped = fakeChannel(manifest, ids, {
  ordering: "round_robin",
  max_turns: 3,
  view: { participants: { "agent-b": { name: "full_transcript", args: {} } } },
  expectations: [{ name: "turn_within", on_violation: "auto_close", params: { seconds: 5 } }],
});
const waiting = fakeChannel(manifest, ids, { on_silence: "wait", loop_guard: 2 });
const course = ids.map((id) => fakeEnvelope(channel, id));
const answers = course.map((envelope, at) =>
  at > 0 ? { ...envelope, causation_id: "1" } : envelope,
);

runAdapterConformance("discussion", createDiscussionAdapter, [
  { name: "rotation", channel, course: [...course, fakeEnvelope(channel, "agent-a")] },
  { name: "capped", channel: capped, course, closes: "max_turns" },
  { name: "guarded", channel: waiting, course: answers, closes: "loop_guard" },
]);
