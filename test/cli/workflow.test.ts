import { sequenceGraph } from "@colloquy/adapters";
import { EV_PACKET } from "@colloquy/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";

let story: Story;
let channel: string;
let bob: string;

beforeAll(async () => {
  story = await startStory();
  const alice = await story.register("alice");
  bob = await story.register("bob");
  const graph = sequenceGraph([alice, bob]);
  channel = await story.open(alice, [bob], "workflow", { graph, context_vars: { budget: 10 } });
  const packet = (sender_id: string, event_data: Record<string, unknown>) =>
    story.hub.postEnvelope({ channel_id: channel, sender_id, event_type: EV_PACKET, event_data });
  await packet(alice, {
    routing: { kind: "handoff", target: "bob" },
    context_updates: { set: { budget: 7 } },
    body: "Your part, Bob.",
  });
  await packet(bob, { routing: { kind: "text" }, body: "Done." });
});
afterAll(() => story[Symbol.asyncDispose]());

const run = (...args: string[]) => runCli([...args, "--data", story.path]);

describe("a workflow on the command line", () => {
  it("reads as who hands over to whom, what is said, and what is set", async () => {
    const { lines } = await run("wal", "read", channel, "--type", EV_PACKET);
    expect(lines[0]).toMatch(
      /alice → all {2}ag2\.packet {2}\[handoff to bob\] Your part, Bob\. \{sets budget\}$/,
    );
    expect(lines[1]).toMatch(/bob → all {2}ag2\.packet {2}Done\.$/);
  });

  it("verifies", async () => {
    expect((await run("wal", "verify")).stdout).toMatch(/^verified: 1 channel, \d+ envelopes\n$/);
  });

  it("replays with its context variables, and as one of its agents", async () => {
    const { values } = await run("replay", channel, "--at", "4", "--json");
    expect(values()[0]).toMatchObject({
      next: { agent_id: bob },
      state: { context_vars: { budget: 7 } },
    });
    const turn = (await run("replay", channel, "--at", "4", "--as", "bob", "--json")).values()[0];
    expect(JSON.stringify(Reflect.get(turn as object, "input"))).toContain("Your part, Bob.");
  });
});
