import {
  agentTarget,
  contextEquals,
  fromSpeaker,
  roundRobinTarget,
  sequenceGraph,
  terminateTarget,
  toolCalled,
  transition,
} from "@colloquy/adapters";
import { createScriptedAgent } from "@colloquy/client";
import { EV_CONTEXT_SET, EV_PACKET, finish, handoff } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { expectSameFolds } from "./harness/folds.js";
import { startMeeting, textsOf, untilClosed } from "./harness/meeting.js";
import { calling, jsonOf } from "./harness/tool-round.js";

describe("workflows over both languages", () => {
  it("hands off from Python to TypeScript and back by names, and folds alike at every position", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const route = { tool: "route", args: { target: "tom", reason: "sums" } };
    const pia = await python.agent("pia", {
      tools: ["route", "finish"],
      script: [[route], "asked tom", [{ tool: "finish", args: { summary: "42" } }], "done"],
    });
    const client = meeting.client();
    const back = calling("route", handoff("pia", "done"), "42");
    const tom = await client.register(createScriptedAgent("tom", [back]));
    const hugo = await client.registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({
      type: "workflow",
      target: ["pia", "tom"],
      knobs: {
        graph: jsonOf({
          initial_speaker: hugo.agentId,
          transitions: [transition(fromSpeaker(hugo.agentId), agentTarget(pia.agentId))],
          default_target: terminateTarget("nobody asked"),
          max_turns: null,
        }),
      },
    });
    await hugo.say(channelId, "how much?");
    expect(await untilClosed(client, channelId)).toBe("finished");
    const wal = await python.wal(channelId);
    const routings = wal.flatMap(({ event_type, event_data }) =>
      event_type === EV_PACKET ? [event_data["routing"]] : [],
    );
    expect(routings).toMatchObject([
      { kind: "handoff", tool: "route", target: tom.agentId, reason: "sums" },
      { kind: "handoff", tool: "route", target: pia.agentId, reason: "done" },
      { kind: "finish", tool: "finish", summary: "42" },
    ]);
    expectSameFolds(await client.getChannel(channelId), wal, await python.fold(channelId));
  });

  it("runs a Python graph in a channel that TypeScript opened, with rules of every kind", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const set = { tool: "set_context", args: { key: "status", value: "checked" } };
    const pia = await python.agent("pia", {
      tools: ["set_context", "mark"],
      script: ["draft", set, "checked it", { tool: "mark", args: {} }, "marked it"],
    });
    const client = meeting.client();
    const agent = createScriptedAgent("tom", ["more, please", "settled"]);
    const tom = await client.register(agent);
    const hugo = await client.registerHuman({ name: "hugo" });
    const description = {
      initial_speaker: hugo.agentId,
      rules: [
        ["tool_called", ["mark"], "terminate", ["marked"], 0],
        ["context_equals", ["status", "checked"], "round_robin", [], 5],
        ["from_speaker", [hugo.agentId], "agent", [pia.agentId], 9],
        ["from_speaker", [pia.agentId], "agent", [tom.agentId], 9],
      ],
      default: ["revert_to_initiator", []],
      max_turns: 20,
    };
    const { graph, text } = (await python.command("graph", { description })) as {
      graph: Record<string, unknown>;
      text: string;
    };
    expect(JSON.parse(text)).toEqual(graph);
    const { channelId } = await hugo.open({
      type: "workflow",
      target: ["pia", "tom"],
      knobs: { graph },
    });
    await hugo.say(channelId, "write");
    await pia.settled(channelId, "more, please");
    await hugo.say(channelId, "again");
    await pia.settled(channelId, "settled");
    await hugo.say(channelId, "and now?");
    expect(await untilClosed(client, channelId)).toBe("marked");
    expect(await textsOf(client, channelId)).toEqual([
      ...["write", "draft", "more, please", "again", "checked it", "settled"],
      ...["and now?", "marked it"],
    ]);
    const wal = await python.wal(channelId);
    expectSameFolds(await client.getChannel(channelId), wal, await python.fold(channelId));
  });

  it("runs a TypeScript graph in a channel that Python opened, and both dump it alike", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia", {
      tools: ["set_context", "delete_context"],
      script: [
        { tool: "set_context", args: { key: "draft", value: { words: 2, tags: ["a"] } } },
        { tool: "delete_context", args: { key: "seed" } },
        "drafted",
      ],
    });
    const client = meeting.client();
    const settle = createScriptedAgent("tom", async ({ context: { channel } }) => {
      await channel.setContext({ settled: true });
      return calling("finish", finish("all done", "settled"), "good");
    });
    const tom = await client.register(settle);
    const graph = jsonOf({
      initial_speaker: pia.agentId,
      transitions: [
        transition(toolCalled("escalate"), terminateTarget("escalated")),
        transition(contextEquals("seed", null), agentTarget(tom.agentId), 1),
        transition(fromSpeaker(tom.agentId), roundRobinTarget(), 2),
      ],
      default_target: terminateTarget("fell through"),
      max_turns: 10,
    });
    expect(await python.command("read_graph", { graph })).toEqual(graph);
    const hanna = await python.human("hanna");
    const { channel_id } = await hanna.open({
      type: "workflow",
      target: ["pia", "tom"],
      knobs: { graph: { ...graph, initial_speaker: hanna.agentId }, context_vars: { seed: 1 } },
    });
    await hanna.say(channel_id, "nothing to route: the graph ends it");
    expect(await untilClosed(client, channel_id)).toBe("fell through");

    const opened = await hanna.open({
      type: "workflow",
      target: ["pia", "tom"],
      knobs: {
        graph: {
          ...graph,
          initial_speaker: hanna.agentId,
          default_target: agentTarget(pia.agentId),
        },
        context_vars: { seed: 1 },
      },
    });
    await hanna.say(opened.channel_id, "write");
    expect(await untilClosed(client, opened.channel_id)).toBe("settled");
    const wal = await python.wal(opened.channel_id);
    expect(wal.filter(({ event_type }) => event_type === EV_CONTEXT_SET)).toHaveLength(3);
    const theirs = await python.fold(opened.channel_id);
    expectSameFolds(await client.getChannel(opened.channel_id), wal, theirs);
    expect(theirs.at(-1)?.["context_vars"]).toEqual({
      draft: { words: 2, tags: ["a"] },
      settled: true,
    });
  });

  it("shows a packet of either language to the other's model in the same words", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const route = { tool: "route", args: { target: "tom", reason: "sums" } };
    const pia = await python.agent("pia", {
      tools: ["route"],
      script: [[route], "over to tom", "thanks"],
    });
    const client = meeting.client();
    const agent = createScriptedAgent("tom", [calling("route", handoff("pia", "solved"), "42")]);
    await client.register(agent);
    const hugo = await client.registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({
      type: "workflow",
      target: ["pia", "tom"],
      knobs: {
        graph: jsonOf({
          initial_speaker: hugo.agentId,
          transitions: [transition(fromSpeaker(hugo.agentId), agentTarget(pia.agentId))],
          default_target: terminateTarget("over"),
          max_turns: null,
        }),
      },
    });
    await hugo.say(channelId, "how much?");
    expect(await untilClosed(client, channelId)).toBe("over");
    expect(await textsOf(client, channelId)).toEqual(["how much?", "over to tom", "42", "thanks"]);
    const packets = (await client.readWal(channelId)).filter(
      ({ event_type }) => event_type === EV_PACKET,
    );
    expect(packets).toHaveLength(3);
    const heard = (await pia.asked()).calls.at(-1)?.messages.at(-1);
    expect(heard).toEqual({ user: ["[tom]: [Handed off via route] solved", "42"] });
    expect(agent.turns[0]?.input).toEqual("[pia]: [Handed off via route] sums\nover to tom");
  });

  it("folds alike what AG2's packet builder says, and a handoff to somebody who takes no part", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const hanna = await python.human("hanna");
    const client = meeting.client();
    await client.register(createScriptedAgent("stranger"));
    const lost = calling("route", handoff("stranger", "who knows"), "over");
    const tom = await client.register(createScriptedAgent("tom", [lost]));
    const hugo = await client.registerHuman({ name: "hugo" });
    const { channel_id } = await hanna.open({
      type: "workflow",
      target: ["tom", "hugo"],
      knobs: {
        graph: jsonOf({
          initial_speaker: hanna.agentId,
          transitions: [transition(contextEquals("stage", 2), terminateTarget("stage two"), 5)],
          default_target: agentTarget(hanna.agentId),
          max_turns: null,
        }),
      },
    });
    const packet = (body: string, more: object) =>
      hanna.command("send_packet", { channel_id, body, ...more });
    await packet("one", { handoff: { target: "tom" }, context_set: { stage: 1, note: "kept" } });
    await hanna.settled(channel_id, "over");
    await packet("two", { context_set: { stage: 2 } });
    expect(await untilClosed(client, channel_id)).toBe("stage two");
    const wal = await python.wal(channel_id);
    const packets = wal.filter(({ event_type }) => event_type === EV_PACKET);
    expect(packets.map(({ event_data }) => event_data)).toMatchObject([
      {
        routing: { kind: "handoff", target: tom.agentId },
        context_updates: { set: { stage: 1, note: "kept" } },
      },
      { routing: { kind: "handoff", unresolved_target: "stranger" }, body: "over" },
      { context_updates: { set: { stage: 2 } } },
    ]);
    const theirs = await python.fold(channel_id);
    expectSameFolds(await client.getChannel(channel_id), wal, theirs);
    expect(theirs.at(-1)).toMatchObject({
      ...{ expected_next_speaker: null, pending_close_reason: "stage two" },
      context_vars: { stage: 2, note: "kept" },
    });
    expect(hugo.status).toBe("active");
  });

  it("goes on over the kill of the hub between two rounds, with its variables", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python({ keeps: true });
    const pia = await python.agent("pia", {
      tools: ["set_context"],
      script: [
        { tool: "set_context", args: { key: "draft", value: "v1" } },
        { hold: "writing" },
        "drafted",
      ],
    });
    const client = meeting.client();
    const drafts: unknown[] = [];
    const agent = createScriptedAgent("tom", ({ context: { state } }) => {
      drafts.push((state as { context_vars: Record<string, unknown> }).context_vars["draft"]);
      return "checked";
    });
    const tom = await client.register(agent);
    const hugo = await client.registerHuman({ name: "hugo" });
    const graph = jsonOf(sequenceGraph([hugo.agentId, pia.agentId, tom.agentId]));
    const { channelId } = await hugo.open({
      type: "workflow",
      target: ["pia", "tom"],
      knobs: { graph },
    });
    await hugo.say(channelId, "write");
    await until(async () => (await pia.asked()).waiting.length === 1);
    await meeting.hub.kill();
    await pia.addLines("drafted");
    await meeting.hub.start();
    await until(() => python.returns === 1, { timeoutMs: 15_000 });
    expect(await untilClosed(client, channelId)).toBe("sequence_complete");
    expect(await textsOf(client, channelId)).toEqual(["write", "drafted", "checked"]);
    expect(drafts).toEqual(["v1"]);
    const wal = await python.wal(channelId);
    expectSameFolds(await client.getChannel(channelId), wal, await python.fold(channelId));
  });
});
