import { finish, handoff, type Tool } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import type { Turn } from "../agent/agent.js";
import type { AgentTool, ToolCallContext } from "./agent-tool.js";
import { createToolRunner } from "./tool-runner.js";

const tool = (name: string, run: AgentTool["run"]): AgentTool => ({
  name,
  description: "",
  parameters: { type: "object" },
  run,
});
const call = (name: string, args: string | Record<string, unknown> = {}, id = `${name}-id`) => ({
  ...{ id, name },
  arguments: args,
});

interface FakeOptions {
  readonly tools?: readonly Tool[];
  readonly signal?: AbortSignal;
  readonly routingTools?: ReadonlySet<string> | null;
  readonly attempt?: number;
  readonly state?: unknown;
  readonly sent?: unknown[];
}

function fakeTurn(options: FakeOptions = {}): Turn {
  const { tools = [], signal = new AbortController().signal, attempt = 1 } = options;
  const { routingTools = new Set(), state = {}, sent = [] } = options;
  const names = { "id-b": "billing", "id-s": "security" };
  const client = { send: async (draft: unknown) => void sent.push(draft) };
  return {
    channel: { channel_id: "c1", manifest: { type: "workflow" } },
    envelope: { envelope_id: "e1" },
    context: { names, routingTools, state, client },
    ...{ tools, signal, attempt },
  } as unknown as Turn;
}

async function runAll(runner: ReturnType<typeof createToolRunner>, ...names: string[]) {
  const outcomes = [];
  for (const [at, name] of names.entries())
    outcomes.push(await runner.run(call(name, {}, `${at}`)));
  return outcomes;
}

describe("createToolRunner", () => {
  it("F-048 tells what is wrong with a call, and what a tool throws", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const runner = createToolRunner(fakeTurn({ tools: [tool("cycle", async () => cycle)] }), [
      tool("fails", async () => {
        throw new Error("no such file");
      }),
    ]);
    const said = [
      await runner.run(call("fly")),
      await runner.run(call("fails", "{")),
      await runner.run(call("fails", "[1]")),
      await runner.run(call("fails")),
      await runner.run(call("cycle")),
    ];
    expect(said.map(({ text, failed, taken }) => [text, failed, taken])).toEqual([
      ["Error: there is no tool 'fly'; there are: fails, cycle", true, false],
      ["Error: fails: the arguments are no JSON object: {", true, false],
      ["Error: fails: the arguments are no JSON object: [1]", true, false],
      ["Error: no such file", true, false],
      ["Error: the result cannot be written as JSON", true, false],
    ]);
    expect(runner.events.map(({ type }) => type)).toEqual(
      said.flatMap(() => ["tool_call", "tool_result"]),
    );
  });

  it("F-048 ends the turn past its bounds of failed calls, and of calls", async () => {
    const failing = createToolRunner(fakeTurn(), [], { maxFailedCalls: 2 });
    await runAll(failing, "fly", "fly");
    await expect(failing.run(call("fly"))).rejects.toMatchObject({
      code: "client/too_many_tool_calls",
      message: expect.stringContaining("maxFailedCalls"),
    });
    const busy = createToolRunner(fakeTurn(), [tool("dig", async () => "ok")], { maxCalls: 2 });
    await runAll(busy, "dig", "dig");
    await expect(busy.run(call("dig"))).rejects.toThrow(/more than 2 calls .* maxCalls/);
    expect(() => createToolRunner(fakeTurn(), [], { maxCalls: 0 })).toThrow(/maxCalls/);
  });

  it("F-026 takes the first handoff or finish, and answers every later one as not taken", async () => {
    const runner = createToolRunner(fakeTurn(), [
      tool("pass", async () => handoff("billing", "a refund")),
      tool("done", async () => finish("all said")),
      tool("note", async () => ({ noted: 1, at: undefined })),
    ]);
    const outcomes = await runAll(runner, "note", "pass", "done", "note");
    expect(runner.routed).toBe(true);
    expect(outcomes.map(({ taken }) => taken)).toEqual([false, true, false, false]);
    expect(outcomes.map(({ result }) => result)).toEqual([
      { noted: 1 },
      handoff("id-b", "a refund"),
      expect.stringMatching(/^Error: not taken: /),
      { noted: 1 },
    ]);
    const results = runner.events.filter(({ type }) => type === "tool_result");
    expect(results.map(({ id }) => id)).toEqual(["0", "1", "2", "3"]);
    expect(results[2]).toMatchObject({ failed: true });
  });

  it("F-026 lets the first call of a routing tool decide, and does not run a second one", async () => {
    let ran = 0;
    const route = async (): Promise<string> => `sent ${++ran}`;
    const turn = fakeTurn({ routingTools: new Set(["left", "right"]) });
    const runner = createToolRunner(turn, [
      tool("left", route),
      tool("right", route),
      tool("pass", async () => handoff("billing")),
    ]);
    const outcomes = await runAll(runner, "left", "right", "pass");
    expect(outcomes.map(({ text }) => text)).toEqual([
      "sent 1",
      expect.stringMatching(/^Error: not taken: /),
      expect.stringMatching(/^Error: not taken: /),
    ]);
    expect([ran, runner.routed]).toEqual([1, false]);
  });

  it("lets another routing tool decide after one that failed", async () => {
    const turn = fakeTurn({ routingTools: new Set(["left", "right"]) });
    const runner = createToolRunner(turn, [
      tool("left", async () => "Error: closed"),
      tool("right", async () => "open"),
    ]);
    expect((await runAll(runner, "left", "right")).map(({ failed }) => failed)).toEqual([
      true,
      false,
    ]);
  });

  it("F-049 resolves a handoff's target, and lists who takes part for a stranger", async () => {
    const runner = createToolRunner(fakeTurn(), [
      tool("pass", async ({ to }) => handoff(String(to))),
    ]);
    const strange = await runner.run(call("pass", { to: "securty" }));
    expect(strange.text).toBe(
      "Error: handoff to 'securty': nobody by that name takes part; choose from billing, security",
    );
    expect(runner.routed).toBe(false);
    const meant = await runner.run(call("pass", { to: '"SECURITY" ' }));
    expect([meant.result, runner.routed]).toEqual([handoff("id-s"), true]);
  });

  it("refuses to route where the channel type has no routing", async () => {
    const runner = createToolRunner(fakeTurn({ routingTools: null }), [
      tool("pass", async () => handoff("billing")),
    ]);
    const outcome = await runner.run(call("pass"));
    expect([outcome.taken, outcome.text]).toEqual([
      false,
      "Error: not taken: a channel of type workflow has no handoffs and no finish; answer in words",
    ]);
  });

  it("offers a tool of the agent's own in place of one of its name, and nothing twice", async () => {
    const runner = createToolRunner(fakeTurn({ tools: [tool("say", async () => "theirs")] }), [
      tool("say", async () => "own"),
    ]);
    expect(runner.tools).toHaveLength(1);
    expect((await runner.run(call("say"))).text).toBe("own");
  });

  it("runs calls in the order in which they are made", async () => {
    const order: string[] = [];
    let free: () => void = () => undefined;
    const runner = createToolRunner(fakeTurn(), [
      tool("slow", () => new Promise((resolve) => (free = () => resolve(order.push("slow"))))),
      tool("fast", async () => order.push("fast")),
    ]);
    const both = [runner.run(call("slow")), runner.run(call("fast"))];
    await Promise.resolve();
    await Promise.resolve();
    free();
    await Promise.all(both);
    expect(order).toEqual(["slow", "fast"]);
  });

  it("passes the end of the turn on, also to a tool that does not listen", async () => {
    const ended = new AbortController();
    const reason = new Error("time is up");
    const runner = createToolRunner(fakeTurn({ signal: ended.signal }), [
      tool("dig", async () => {
        ended.abort(reason);
        return new Promise(() => undefined);
      }),
    ]);
    await expect(runner.run(call("dig"))).rejects.toBe(reason);
    await expect(runner.run(call("dig"))).rejects.toBe(reason);
  });

  it("gives a model something to read of a blank result", async () => {
    const runner = createToolRunner(fakeTurn(), [tool("quiet", async () => " \n")]);
    expect(await runner.run(call("quiet"))).toEqual({
      ...{ result: " \n", text: "(no output)", failed: false, taken: false },
    });
  });

  it("cuts a long result, and says so", async () => {
    const runner = createToolRunner(fakeTurn(), [tool("read", async () => "x".repeat(30))], {
      maxResultLength: 10,
    });
    expect((await runner.run(call("read"))).text).toBe(
      "xxxxxxxxxx… [10 of 30 characters are shown]",
    );
  });

  it("F-050 gives a call the same key at each attempt, and when it is repeated because it failed", async () => {
    const keysOf = async (outcomes: readonly (string | Error)[]): Promise<string[]> => {
      const keys: string[] = [];
      const charge = async (_args: unknown, context: ToolCallContext) => {
        keys.push(context.key);
        const outcome = outcomes[keys.length - 1];
        if (outcome instanceof Error) throw outcome;
        return outcome;
      };
      const runner = createToolRunner(fakeTurn({ attempt: outcomes.length }), [
        tool("charge", charge),
        tool("look", async () => "seen"),
      ]);
      for (const _ of outcomes) {
        await runner.run(call("look"));
        await runner.run(call("charge"));
      }
      return keys;
    };
    const first = ["call:c1:e1:charge:1", "call:c1:e1:charge:2"];
    expect(await keysOf(["paid", "paid"])).toEqual(first);
    expect(await keysOf([new Error("no line"), "paid", "paid"])).toEqual([first[0], ...first]);
  });
});

describe("the context of a tool call", () => {
  const settingTool = tool("set", async (_args, given) => {
    const context = given as ToolCallContext;
    await context.setContext({ category: "billing", tries: 2 });
    await context.deleteContext("tries");
    return context.variables;
  });

  it("sets and deletes context variables, and knows them", async () => {
    const sent: unknown[] = [];
    const turn = fakeTurn({ sent, state: { context_vars: { kept: true } } });
    const outcome = await createToolRunner(turn, [settingTool]).run(call("set"));
    expect(outcome.result).toEqual({ kept: true, category: "billing" });
    expect(sent).toEqual([
      {
        channel_id: "c1",
        event_type: "ag2.context.set",
        event_data: { set: { category: "billing", tries: 2 } },
      },
      { channel_id: "c1", event_type: "ag2.context.set", event_data: { delete: ["tries"] } },
    ]);
  });

  it("does not post again what an earlier attempt has set", async () => {
    const sent: unknown[] = [];
    const state = { context_vars: { category: "billing" } };
    await createToolRunner(fakeTurn({ sent, state, attempt: 2 }), [settingTool]).run(call("set"));
    expect(sent).toMatchObject([
      { event_data: { set: { tries: 2 } } },
      { event_data: { delete: ["tries"] } },
    ]);
  });

  it("says where there are no variables to set", async () => {
    const outcome = await createToolRunner(fakeTurn(), [settingTool]).run(call("set"));
    expect(outcome.text).toBe(
      "Error: a channel of type workflow keeps no context variables; open one of type workflow",
    );
  });
});
