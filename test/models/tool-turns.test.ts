import {
  agentTarget,
  contextEquals,
  fromSpeaker,
  terminateTarget,
  transition,
} from "@colloquy/adapters";
import { type AgentTool, defineTool } from "@colloquy/client";
import { createModelAgent } from "@colloquy/client/ai-sdk";
import { createScriptedModel, type ScriptedStep } from "@colloquy/client/testing";
import { EV_PACKET, EV_TEXT, handoff } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { startTestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

const pass = defineTool({
  name: "pass",
  description: "Hands the customer on.",
  input: z.object({ to: z.string() }),
  run: async ({ to }) => handoff(to, `for ${to}`),
});
const look = defineTool({
  name: "look",
  description: "Looks an order up.",
  input: z.object({ order: z.number() }),
  run: async ({ order }) => ({ order, state: "shipped" }),
});

type Network = Awaited<ReturnType<typeof startTestNetwork>>;

/** A person, and a desk whose model has these steps and these tools, in a workflow with two experts. */
async function openDesk(
  network: Network,
  steps: readonly ScriptedStep[],
  tools: readonly AgentTool[] = [pass, look],
) {
  const human = await network.human("hugo");
  const model = createScriptedModel(steps);
  const desk = await network
    .connect()
    .register(createModelAgent({ name: "desk", model, tools, toolLimits: { maxFailedCalls: 3 } }));
  const heard: Record<string, string> = {};
  const experts = ["security", "billing"].map((name) =>
    createModelAgent({
      name,
      model: createScriptedModel((call) => {
        heard[name] = JSON.stringify(call.options.prompt);
        return `this is ${name}`;
      }),
    }),
  );
  for (const expert of experts) await network.connect().register(expert);
  const graph = {
    initial_speaker: human.agentId,
    transitions: [transition(fromSpeaker(human.agentId), agentTarget(desk.agentId))],
    default_target: terminateTarget("done"),
    max_turns: 10,
  };
  const { channelId } = await human.open({
    ...{ type: "workflow", target: ["desk", "security", "billing"], knobs: { graph } },
  });
  const packets = async () =>
    (await network.wal(channelId)).filter(({ event_type }) => event_type === EV_PACKET);
  return { human, channelId, packets, model, heard, desk };
}

describe.each(TRANSPORTS)("tool calls of a turn over %s", (transport) => {
  it("F-026 takes the first of two handoffs and keeps the ordinary call's result", async () => {
    await using network = await startTestNetwork({ transport });
    const { human, channelId, packets, heard } = await openDesk(network, [
      {
        text: "One moment.",
        toolCalls: [
          { name: "look", arguments: { order: 7 } },
          { name: "pass", arguments: { to: "billing" } },
          { name: "pass", arguments: { to: "security" } },
        ],
      },
    ]);
    await human.say(channelId, "Where is my money?");
    await until(async () => (await packets()).length === 2);
    const [decided, answer] = await packets();
    const billing = (await human.hub.getAgent("billing")).agent_id;
    expect(decided?.event_data["routing"]).toEqual({
      ...{ kind: "handoff", tool: "pass", target: billing, reason: "for billing" },
    });
    expect(answer?.sender_id).toBe(billing);
    expect(heard["security"]).toBeUndefined();
    expect(heard["billing"]).toContain("for billing");
    expect(heard["billing"]).not.toContain("for security");
  });

  it("F-048 tells a model of wrong calls, and the turn goes on", async () => {
    await using network = await startTestNetwork({ transport });
    const { human, channelId, packets, model } = await openDesk(network, [
      { toolCalls: [{ name: "fly", arguments: {} }] },
      { toolCalls: [{ name: "look", arguments: "{ order" }] },
      { toolCalls: [{ name: "look", arguments: { order: "seven" } }] },
      { toolCalls: [{ name: "pass", arguments: { to: "billing" } }] },
    ]);
    await human.say(channelId, "Where is my order?");
    await until(async () => (await packets()).length === 2);
    const results = model.calls.map(({ options }) => JSON.stringify(options.prompt.at(-1)));
    expect(results[1]).toContain("there is no tool 'fly'");
    expect(results[2]).toContain("the arguments are no JSON object");
    expect(results[3]).toContain("argument `order` is wrong");
  });

  it("F-048 a turn past the bound fails, its cause is on record, and the channel goes on", async () => {
    await using network = await startTestNetwork({ transport });
    const wrong: ScriptedStep = { toolCalls: [{ name: "fly", arguments: {} }] };
    const failures: string[] = [];
    network.hub.addListener({ onTurnFailed: ({ error }) => void failures.push(error) });
    const { human, channelId, packets } = await openDesk(network, [
      ...[wrong, wrong, wrong, wrong],
      { text: "Here it is.", toolCalls: [] },
    ]);
    await human.say(channelId, "Where is my order?");
    await until(() => failures.length > 0);
    expect(failures[0]).toContain("more than 3 failed calls");
    await until(async () => (await packets()).length === 1);
    expect((await packets())[0]?.event_data["body"]).toBe("Here it is.");
  });

  it.each(["Security ", '"security"', "SECURITY"])("F-049 %j means security", async (name) => {
    await using network = await startTestNetwork({ transport });
    const { human, channelId, packets } = await openDesk(network, [
      { toolCalls: [{ name: "pass", arguments: { to: name } }] },
    ]);
    await human.say(channelId, "Somebody broke in!");
    await until(async () => (await packets()).length === 2);
    const security = (await human.hub.getAgent("security")).agent_id;
    expect((await packets())[1]?.sender_id).toBe(security);
    expect((await human.hub.getAgent(name)).agent_id).toBe(security);
  });

  it("F-049 a misspelt name is told with the valid ones, and the turn goes on", async () => {
    await using network = await startTestNetwork({ transport });
    const { human, channelId, packets, model, desk } = await openDesk(network, [
      { toolCalls: [{ name: "pass", arguments: { to: "securty" } }] },
      { toolCalls: [{ name: "pass", arguments: { to: "security" } }] },
    ]);
    await human.say(channelId, "Somebody broke in!");
    await until(async () => (await packets()).length === 2);
    const told = JSON.stringify(model.calls[1]?.options.prompt.at(-1));
    expect(told).toContain(
      "nobody by that name takes part; choose from billing, desk, hugo, security",
    );
    const ask = desk.tools.find(({ name }) => name === "delegate");
    const asked = { target: "securty", prompt: "Hello?" };
    const answer = await ask?.run(asked, { signal: new AbortController().signal, callId: "1" });
    expect(answer).toMatch(/not found.*billing.*security/s);
  });

  it("F-046 a respondent that says and then answers has answered once", async () => {
    await using network = await startTestNetwork({ transport });
    const model = createScriptedModel(({ index, lastText }) => {
      if (lastText === "Still there?") return "Still here.";
      const say = { name: "say", arguments: { content: "Forty-two." } };
      return index === 0 ? { text: "It is forty-two.", toolCalls: [say] } : "As I said: forty-two.";
    });
    await network.connect().register(createModelAgent({ name: "ada", model }));
    const human = await network.human("hugo");
    const failures: string[] = [];
    network.hub.addListener({ onTurnFailed: ({ error }) => void failures.push(error) });
    const channel = await human.open({ type: "consulting", target: "ada" });
    await human.say(channel.channelId, "How much?");
    await until(async () => (await channel.info()).state === "closed");
    expect(channel.metadata.close_reason).toBe("consulting_complete");
    expect(await network.texts(channel.channelId)).toEqual(["How much?", "Forty-two."]);
    expect(failures).toEqual([]);
    const next = await human.open({ type: "consulting", target: "ada" });
    await human.say(next.channelId, "Still there?");
    await until(async () => (await next.info()).state === "closed");
    expect(await network.texts(next.channelId)).toEqual(["Still there?", "Still here."]);
  });

  it("F-047 a speaker that says in mid-turn uses one turn", async () => {
    await using network = await startTestNetwork({ transport });
    const turns: string[] = [];
    const speaker = (name: string, steps: readonly ScriptedStep[]) =>
      network.connect().register(
        createModelAgent({
          name,
          model: createScriptedModel(steps),
          onUsage: () => void turns.push(name),
        }),
      );
    await speaker("ada", [
      { toolCalls: [{ name: "say", arguments: { content: "Ada, by the tool" } }] },
      { text: "Ada, once more" },
    ]);
    await speaker("bob", [{ text: "Bob" }]);
    const human = await network.human("hugo");
    const knobs = { max_turns: 3 };
    const channel = await human.open({ type: "discussion", target: ["ada", "bob"], knobs });
    await human.say(channel.channelId, "Begin.");
    await until(async () => (await channel.info()).state === "closed");
    expect(await network.texts(channel.channelId)).toEqual(["Begin.", "Ada, by the tool", "Bob"]);
    expect(turns).toEqual(["ada", "bob"]);
  });

  it("a tool sets context variables that route the turn's own answer", async () => {
    await using network = await startTestNetwork({ transport });
    const human = await network.human("hugo");
    const classify = defineTool({
      name: "classify",
      description: "Notes what it is about.",
      input: z.object({ category: z.string() }),
      async run({ category }, { setContext, variables }) {
        await setContext({ category, seen: [category] });
        return `was ${JSON.stringify(variables)}`;
      },
    });
    const { agentId: desk } = await network.connect().register(
      createModelAgent({
        name: "desk",
        tools: [classify],
        model: createScriptedModel([
          { toolCalls: [{ name: "classify", arguments: { category: "money" } }] },
          { text: "It is about money." },
        ]),
      }),
    );
    const billing = createModelAgent({ name: "billing", model: createScriptedModel(["Paid."]) });
    const { agentId: money } = await network.connect().register(billing);
    const graph = {
      initial_speaker: human.agentId,
      transitions: [
        transition(fromSpeaker(human.agentId), agentTarget(desk)),
        transition(fromSpeaker(money), terminateTarget("paid")),
        transition(contextEquals("category", "money"), agentTarget(money)),
      ],
      default_target: terminateTarget("lost"),
      max_turns: 10,
    };
    const target = ["desk", "billing"];
    const channel = await human.open({ type: "workflow", target, knobs: { graph } });
    await human.say(channel.channelId, "My money!");
    await until(async () => (await channel.info()).state === "closed");
    expect(channel.metadata.close_reason).toBe("paid");
    const kinds = (await network.wal(channel.channelId)).map(({ event_type }) => event_type);
    expect(kinds.filter((type) => type === "ag2.context.set")).toHaveLength(1);
    expect(kinds.indexOf("ag2.context.set")).toBeLessThan(kinds.indexOf(EV_PACKET));
    expect(kinds).toContain(EV_TEXT);
  });
});
