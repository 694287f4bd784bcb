import { fakeChannel, fakeEnvelope, runAdapterConformance } from "@colloquy/testkit";
import { createConversationAdapter } from "./conversation-adapter.js";

const { manifest } = createConversationAdapter();
const channel = fakeChannel(manifest, ["agent-a", "agent-b"]);
const capped = fakeChannel(manifest, ["agent-a", "agent-b"], { max_turns: 2, loop_guard: 0 });
const guarded = fakeChannel(manifest, ["agent-a", "agent-b"], { loop_guard: 1 });
const course = [fakeEnvelope(channel, "agent-a"), fakeEnvelope(channel, "agent-a")];
const answered = [...course, fakeEnvelope(channel, "agent-b", { causation_id: "1" })];

runAdapterConformance("conversation", createConversationAdapter, [
  { name: "free talk", channel, course: answered },
  { name: "capped", channel: capped, course, closes: "max_turns" },
  { name: "guarded", channel: guarded, course: answered, closes: "loop_guard" },
]);
