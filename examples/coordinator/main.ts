/** A coordinator: it knows nobody by name, finds who is able, and opens a discussion among them. */
import assert from "node:assert/strict";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");

await stage.agent({
  name: "Botanist",
  capabilities: ["gardens"],
  summary: "Knows plants.",
  instructions: "Say in one sentence what to plant.",
  script: ["Plant hazel on the north side."],
});
await stage.agent({
  name: "Mason",
  capabilities: ["gardens"],
  summary: "Builds walls.",
  instructions: "Say in one sentence what to build.",
  script: ["And a dry wall to the south."],
});
await stage.agent({
  name: "Pilot",
  capabilities: ["flying"],
  instructions: "You fly.",
  script: [],
});
const coordinator = await stage.agent({
  name: "Coordinator",
  network: true,
  instructions:
    "Find peers with the capability 'gardens' by the tool peers. Open a discussion with all of them by the tool channels, with your question as the message. Then tell who is at work on it.",
  script: ({ index, lastText }) => {
    if (index === 0) {
      return {
        toolCalls: [{ name: "peers", arguments: { action: "find", capability: "gardens" } }],
      };
    }
    if (index > 1) return "Botanist and Mason are at work on it.";
    const target = (JSON.parse(lastText) as { name: string }[]).map(({ name }) => name);
    const knobs = { max_turns: target.length + 1 };
    const message = "What does the garden need?";
    return {
      toolCalls: [
        {
          name: "channels",
          arguments: { action: "open", type: "discussion", target, knobs, message },
        },
      ],
    };
  },
});

// The discussion hangs below this conversation, and would end with it.
const channel = await hugo.open({ type: "conversation", target: "Coordinator" });
await hugo.say(channel.channelId, "My garden is bare. Who can help?");
const answered = ({ sender_id }: { sender_id: string }) => sender_id === coordinator.agentId;
const answer = await hugo.waitForChannelEvent(channel.channelId, answered, 300_000);
stage.checkWords(answer.event_data["text"], "Botanist and Mason are at work on it.");

const discussions = (await stage.hub.listChannels({ limit: 100 })).filter(
  ({ manifest }) => manifest.type === "discussion",
);
for (const { channel_id, creator_id, parent_channel_id } of discussions) {
  assert.equal(creator_id, coordinator.agentId);
  assert.equal(parent_channel_id, channel.channelId);
  if (!stage.models.followScripts) continue;
  const talk = await stage.end(channel_id);
  assert.equal(talk.reason, "max_turns");
  assert.deepEqual(
    talk.lines.map(([speaker]) => speaker),
    ["Coordinator", "Botanist", "Mason"],
  );
}
stage.checkWords(discussions.length, 1);
await hugo.closeChannel(channel.channelId, "thank_you");
await stage.end(channel.channelId);
