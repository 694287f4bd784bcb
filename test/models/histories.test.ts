import { agentTarget, fromSpeaker, terminateTarget, transition } from "@colloquy/adapters";
import { defineTool } from "@colloquy/client";
import { createModelAgent } from "@colloquy/client/ai-sdk";
import { createScriptedModel } from "@colloquy/client/testing";
import { EV_TEXT, handoff, type Message, showsSomething } from "@colloquy/protocol";
import { assertStrictRoles, until } from "@colloquy/testkit";
import {
  createNamedWindowedSummary,
  createWindowedSummary,
  sliceWal,
  toStrictRoles,
} from "@colloquy/views";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { startTestNetwork, type TestNetwork } from "../fixtures/test-network.js";

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({}),
  run: async () => "seen",
});

/** What a model was asked, as one text. */
const promptOf = (call: { readonly prompt: unknown } | undefined) => JSON.stringify(call?.prompt);

/** History of one participant through a windowed view of some size. */
async function project(
  network: TestNetwork,
  channelId: string,
  participantId: string,
  size: number,
) {
  const channel = await network.hub.getChannel(channelId);
  const wal = await network.wal(channelId);
  const adapter = (await import("@colloquy/adapters"))
    .createDefaultAdapters()
    .find(({ manifest }) => manifest.type === channel.manifest.type);
  if (adapter === undefined) throw new Error("no adapter");
  const context = {
    ...{ participantId, channel },
    render: adapter.renderEnvelope,
    nameFor: (id: string) => network.hub.nameFor(id),
  };
  const view = createNamedWindowedSummary({ recent_n: size });
  const slice = sliceWal(wal, { participantId, render: context.render, needs: view.needs });
  return {
    messages: view.project(slice, context),
    shown: wal.filter((e) => showsSomething(adapter.renderEnvelope(e))).length,
  };
}

describe("histories of agents that use tools", () => {
  it("F-035 a turn that was stopped between a call and its result leaves neither in the next history", async () => {
    await using network = await startTestNetwork();
    let isFirst = true;
    const hang = defineTool({
      name: "hang",
      description: "Hangs the first time.",
      input: z.object({}),
      async run() {
        if (!isFirst) return "done";
        isFirst = false;
        return new Promise(() => undefined);
      },
    });
    const model = createScriptedModel(({ prompt }) =>
      prompt.at(-1)?.role === "tool" ? "Here it is." : { toolCalls: [{ name: "hang" }] },
    );
    await network
      .connect()
      .register(createModelAgent({ name: "ada", model, tools: [hang] }), { turnTimeoutMs: 300 });
    const human = await network.human("hugo");
    const channel = await human.open({ type: "conversation", target: "ada" });
    await human.say(channel.channelId, "Fetch it.");
    await until(async () => (await network.texts(channel.channelId)).length === 2, {
      timeoutMs: 10_000,
    });
    const second = model.calls[1];
    expect(second?.prompt.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(promptOf(second)).not.toContain("hang");
    expect(await network.texts(channel.channelId)).toEqual(["Fetch it.", "Here it is."]);
  });

  it("F-036 windows of 1 to 20 over a log of turns rich in tools begin and end clean, and keep their size", async () => {
    await using network = await startTestNetwork();
    const model = createScriptedModel(({ prompt, index }) =>
      prompt.at(-1)?.role === "tool"
        ? `answer ${index}`
        : { text: "One moment.", toolCalls: [{ name: "look" }, { name: "look" }] },
    );
    const { agentId } = await network
      .connect()
      .register(createModelAgent({ name: "ada", model, tools: [look] }));
    const human = await network.human("hugo");
    const channel = await human.open({ type: "conversation", target: "ada" });
    for (let turn = 0; turn < 12; turn += 1) {
      await human.say(channel.channelId, `question ${turn}`);
      await until(async () => (await network.texts(channel.channelId)).length === 2 * turn + 2);
    }
    for (let size = 1; size <= 20; size += 1) {
      const { messages, shown } = await project(network, channel.channelId, agentId, size);
      const lines = messages.filter(({ role }) => role !== "compaction_summary");
      expect(lines).toHaveLength(Math.min(size, shown));
      expect(
        messages.every(({ role, tool_calls }) => role !== "tool" && tool_calls === undefined),
      ).toBe(true);
      const left = messages.find(({ role }) => role === "compaction_summary")?.event_count ?? 0;
      expect(left + lines.length).toBe(shown);
      assertStrictRoles(toStrictRoles(messages));
    }
  });

  it("F-036 a window over a history with calls and results keeps each pair whole or leaves it out", () => {
    const rounds = Array.from({ length: 8 }, (_, at): Message[] => [
      { role: "user", content: `question ${at}` },
      {
        ...{ role: "assistant", content: null },
        tool_calls: [{ id: `c${at}`, name: "look", arguments: {}, metadata: {} }],
      },
      { role: "tool", content: "seen", tool_call_id: `c${at}`, name: "look" },
      { role: "assistant", content: `answer ${at}` },
    ]).flat();
    for (let size = 1; size <= 20; size += 1) {
      const cut = toStrictRoles(rounds.slice(-size));
      if (cut.length > 0) assertStrictRoles(cut);
    }
    expect(createWindowedSummary({ recent_n: 20 }).needs).toEqual({ last: 20 });
  });

  it("F-041 whom a turn hands on to sees what was said and why, no calls and no thoughts, and the same when read back", async () => {
    await using network = await startTestNetwork();
    const human = await network.human("hugo");
    const pass = defineTool({
      name: "pass",
      description: "Hands on.",
      input: z.object({}),
      run: async () => handoff("bob", "a matter of law"),
    });
    const { agentId: ada } = await network.connect().register(
      createModelAgent({
        name: "ada",
        tools: [look, pass],
        model: createScriptedModel([
          { reasoning: "secret thought", toolCalls: [{ name: "look" }] },
          { reasoning: "another", text: "Bob knows.", toolCalls: [{ name: "pass" }] },
        ]),
      }),
    );
    const bobs = createScriptedModel(["I do."]);
    const { agentId: bob } = await network
      .connect()
      .register(createModelAgent({ name: "bob", model: bobs }));
    const graph = {
      initial_speaker: human.agentId,
      transitions: [transition(fromSpeaker(human.agentId), agentTarget(ada))],
      default_target: terminateTarget("done"),
      max_turns: 10,
    };
    const channel = await human.open({
      type: "workflow",
      target: ["ada", "bob"],
      knobs: { graph },
    });
    await human.say(channel.channelId, "May I?");
    await until(async () => (await channel.info()).state === "closed");
    const seen = promptOf(bobs.calls[0]);
    expect(seen).toContain("Bob knows.");
    expect(seen).toContain("a matter of law");
    expect(seen).not.toContain("thought");
    expect(seen).not.toContain("another");
    expect(seen).not.toContain("look");
    const { messages } = await project(network, channel.channelId, bob, 20);
    expect(JSON.parse(JSON.stringify(messages))).toEqual(messages);
    expect(messages.every(({ tool_calls }) => tool_calls === undefined)).toBe(true);
    expect(JSON.stringify(messages)).not.toContain("thought");
    expect(JSON.stringify(messages)).toContain("a matter of law");
  });

  it("F-044 a turn that waited for a person and went on has each call once, in what the model sees and in the log", async () => {
    await using network = await startTestNetwork();
    const mira = await network.human("mira");
    const approve = defineTool({
      name: "approve",
      description: "Asks Mira.",
      input: z.object({}),
      run: async (_args, { client }) => client.consult("mira", "May I?"),
    });
    const model = createScriptedModel(({ prompt }) =>
      prompt.at(-1)?.role === "tool"
        ? "She agrees."
        : { toolCalls: [{ name: "approve", id: "call-7" }] },
    );
    await network.connect().register(createModelAgent({ name: "ada", model, tools: [approve] }));
    const human = await network.human("hugo");
    const channel = await human.open({ type: "conversation", target: "ada" });
    await human.say(channel.channelId, "Order it.");
    const question = await mira.nextEnvelope(({ event_type }) => event_type === EV_TEXT, 5_000);
    expect(await network.texts(channel.channelId)).toEqual(["Order it."]);
    await mira.say(question.channel_id, "Yes.", { causationId: question.envelope_id });
    await until(async () => (await network.texts(channel.channelId)).length === 2);
    const ids = (promptOf(model.calls[1]) ?? "").match(/"toolCallId":"call-7"/g);
    // Once as the call and once as its result.
    expect(ids).toHaveLength(2);
    await human.say(channel.channelId, "And the other one.");
    await until(() => model.calls.length >= 3);
    expect(promptOf(model.calls[2])).not.toContain("call-7");
    expect(JSON.stringify(await network.wal(channel.channelId))).not.toContain("call-7");
  });
});
