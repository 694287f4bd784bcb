import { agentTarget, fromSpeaker, terminateTarget, transition } from "@colloquy/adapters";
import { createModelAgent } from "@colloquy/client/ai-sdk";
import {
  createScriptedModel,
  recordModel,
  replayModel,
  type ScriptedStep,
} from "@colloquy/client/testing";
import { EV_CHANNEL_CLOSED, EV_PACKET, handoff } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startTestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

type Model = Parameters<typeof recordModel>[0];

describe.each(TRANSPORTS)("agents with models over %s", (transport) => {
  it("answer a person, who sees the text come and then has it whole", async () => {
    await using network = await startTestNetwork({ transport });
    const model = createScriptedModel([{ deltas: ["For", "ty", "-two."] }]);
    const ada = createModelAgent({ name: "ada", model, instructions: "Be brief." });
    await network.connect().register(ada);
    const human = await network.human("hugo");
    const seen: string[] = [];
    human.onDelta(({ text }) => seen.push(text));
    const { channelId } = await human.open({ type: "consulting", target: "ada" });
    await human.say(channelId, "How much?");
    await until(async () => (await network.texts(channelId)).length === 2);
    expect(await network.texts(channelId)).toEqual(["How much?", "Forty-two."]);
    await until(() => seen.join("") === "Forty-two.");
    const [asked] = model.calls;
    expect(asked?.instructions).toMatch(/^You are ada \(agent_id: [0-9a-f]{32}\)\.\n\nBe brief\.$/);
    expect(asked?.lastText).toBe("How much?");
    expect(asked?.tools).toEqual(["say", "delegate", "peers", "channels", "tasks", "context"]);
  });

  it("hand on by a tool in a workflow, and the next one speaks", async () => {
    await using network = await startTestNetwork({ transport });
    const human = await network.human("hugo");
    const desk = createModelAgent({
      name: "desk",
      model: createScriptedModel([
        { text: "This is one for the expert.", toolCalls: [{ name: "ask_expert" }] },
      ]),
      tools: [
        {
          name: "ask_expert",
          description: "Hands the question to the expert.",
          parameters: { type: "object", properties: {} },
          run: async () => handoff("expert", "too hard"),
        },
      ],
    });
    const expert = createModelAgent({
      name: "expert",
      model: createScriptedModel(({ lastText }) => `I heard: ${lastText}`),
    });
    const { agentId } = await network.connect().register(desk);
    await network.connect().register(expert);
    const graph = {
      initial_speaker: human.agentId,
      transitions: [transition(fromSpeaker(human.agentId), agentTarget(agentId))],
      default_target: terminateTarget("done"),
      max_turns: 10,
    };
    const { channelId } = await human.open({
      ...{ type: "workflow", target: ["desk", "expert"], knobs: { graph } },
    });
    await human.say(channelId, "Why?");
    const closed = async () =>
      (await network.wal(channelId)).some(({ event_type }) => event_type === EV_CHANNEL_CLOSED);
    await until(closed);
    const packets = (await network.wal(channelId)).filter((e) => e.event_type === EV_PACKET);
    expect(packets.map(({ event_data }) => event_data["body"])).toEqual([
      "This is one for the expert.",
      expect.stringContaining("I heard: "),
    ]);
  });

  it("stop their model at once when their channel is closed", async () => {
    await using network = await startTestNetwork({ transport });
    let signal: AbortSignal | undefined;
    const model = createScriptedModel(({ options }) => {
      signal = options.abortSignal;
      return { hangs: true };
    });
    await network.connect().register(createModelAgent({ name: "ada", model }));
    const human = await network.human("hugo");
    const channel = await human.open({ type: "consulting", target: "ada" });
    await human.say(channel.channelId, "How much?");
    await until(() => signal !== undefined);
    await channel.close("never mind");
    await until(() => signal?.aborted === true);
    expect(model.calls).toHaveLength(1);
  });
});

const PANEL = ["ada", "bob", "cleo"] as const;
const LINES: Readonly<Record<string, readonly ScriptedStep[]>> = {
  ada: [
    { toolCalls: [{ name: "peers", arguments: { action: "find", limit: 5 } }] },
    "I propose tea.",
  ],
  bob: ["I prefer coffee."],
  cleo: ["Both, then."],
};

/** A discussion of three on a hub of its own, with new ids every time. */
async function discuss(modelOf: (name: string) => Model): Promise<string[]> {
  await using network = await startTestNetwork();
  for (const name of PANEL) {
    await network.connect().register(createModelAgent({ name, model: modelOf(name) }));
  }
  const human = await network.human("hugo");
  const { channelId } = await human.open({
    ...{ type: "discussion", target: [...PANEL], knobs: { ordering: "round_robin" } },
  });
  await human.say(channelId, "What shall we drink?");
  await until(async () => (await network.texts(channelId)).length === 4);
  return network.texts(channelId);
}

it("a discussion of three is held again from its recordings, on another hub with other ids", async () => {
  const recorded = new Map<string, ReturnType<typeof recordModel>>();
  const live = await discuss((name) => {
    const model = recordModel(createScriptedModel(LINES[name] ?? []));
    recorded.set(name, model);
    return model;
  });
  const replayed = PANEL.map((name) => {
    const text = JSON.stringify(recorded.get(name)?.recording());
    expect(text).not.toMatch(/[0-9a-f]{32}/);
    return [name, replayModel(JSON.parse(text))] as const;
  });
  const again = await discuss((name) => new Map<string, Model>(replayed).get(name) ?? "none");
  expect(again).toEqual(live);
  expect(live.at(-1)).toBe("Both, then.");
  expect(replayed.map(([, { left }]) => left)).toEqual([0, 0, 0]);
});
