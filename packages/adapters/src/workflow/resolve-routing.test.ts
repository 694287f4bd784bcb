import { finish, handoff, type RoundEvent } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { always, toolCalled } from "../graph/conditions.js";
import { agentTarget, stayTarget, terminateTarget } from "../graph/targets.js";
import { transition } from "../graph/transition-graph.js";
import { resolveRouting } from "./resolve-routing.js";

const graph = {
  initial_speaker: "id-a",
  transitions: [
    transition(toolCalled("t"), agentTarget("id-b")),
    transition(toolCalled("u"), agentTarget("id-c")),
    transition(always(), stayTarget()),
  ],
  default_target: terminateTarget(),
  max_turns: null,
};
const ids: Readonly<Record<string, string>> = { bob: "id-b" };
const sources = { graph, resolveName: (name: string) => ids[name] ?? null };
const routing = (...events: RoundEvent[]) => resolveRouting(events, sources);
const call = (id: string, name: string, args: object | string = {}): RoundEvent => ({
  type: "tool_call",
  id,
  name,
  arguments: args as Record<string, unknown> | string,
});
const result = (id: string, value: unknown): RoundEvent => ({
  type: "tool_result",
  id,
  result: value,
});

describe("resolveRouting", () => {
  it("N-070 a round without events routes nowhere", () => {
    expect(routing()).toEqual({ kind: "text" });
  });

  it("N-071 a call of a tool with a rule hands off without a target", () => {
    expect(routing(call("1", "t", { reason: "too hard" }))).toEqual({
      kind: "handoff",
      tool: "t",
      reason: "too hard",
    });
  });

  it("N-072 a call of a tool without a rule routes nowhere", () => {
    expect(routing(call("1", "search", { reason: "x" }))).toEqual({ kind: "text" });
    expect(resolveRouting([call("1", "t")], { ...sources, graph: null })).toEqual({ kind: "text" });
  });

  it("N-073 the first of two routing calls decides", () => {
    const events = [call("1", "u", { reason: "first" }), call("2", "t", { reason: "second" })];
    expect(routing(...events)).toEqual({ kind: "handoff", tool: "u", reason: "first" });
  });

  it("N-074 a handoff's name becomes an id", () => {
    const events = [call("1", "pass_on"), result("1", handoff("bob", "knows billing"))];
    expect(routing(...events)).toEqual({
      kind: "handoff",
      tool: "pass_on",
      reason: "knows billing",
      target: "id-b",
    });
  });

  it("N-075 a handoff's name that nobody has stays as it is", () => {
    const events = [call("1", "pass_on"), result("1", handoff("dave"))];
    expect(routing(...events)).toMatchObject({ kind: "handoff", target: "dave", reason: "" });
  });

  it("N-076 a handoff without its call routes nowhere", () => {
    expect(routing(result("9", handoff("bob")))).toEqual({ kind: "text" });
    expect(routing(call("1", "search"), result("9", handoff("bob")))).toEqual({ kind: "text" });
  });

  it("N-077 a finish ends the workflow", () => {
    const events = [call("1", "wrap_up"), result("1", finish("all sold", "sold_out"))];
    expect(routing(...events)).toEqual({
      kind: "finish",
      tool: "wrap_up",
      reason: "sold_out",
      summary: "all sold",
    });
  });

  it("N-078 a finish without arguments is finished", () => {
    const events = [call("1", "wrap_up"), result("1", finish())];
    expect(routing(...events)).toMatchObject({ reason: "finished", summary: "" });
  });

  it("takes a handoff before a rule of the same call, and a finish before both", () => {
    const handed = [call("1", "t"), result("1", handoff("bob", "r"))];
    expect(routing(...handed)).toMatchObject({ tool: "t", target: "id-b", reason: "r" });
    const both = [call("1", "t"), result("1", ["done", handoff("bob"), finish("s")])];
    expect(routing(...both)).toMatchObject({ kind: "finish", summary: "s" });
  });

  it("goes by the order of calls, not of results", () => {
    const events = [
      call("1", "pass_on"),
      call("2", "wrap_up"),
      result("2", finish()),
      result("1", handoff("bob")),
    ];
    expect(routing(...events)).toMatchObject({ kind: "handoff", tool: "pass_on" });
  });

  it("reads a reason from arguments as text, and is silent about anything else", () => {
    const reasonOf = (args: object | string) => routing(call("1", "t", args));
    expect(reasonOf('{"reason":"typed"}')).toMatchObject({ reason: "typed" });
    for (const args of ["{broken", '"text"', "[1]", { reason: 5 }, { other: "x" }]) {
      expect(reasonOf(args)).toMatchObject({ kind: "handoff", reason: "" });
    }
  });

  it("mends values that only look like a handoff or a finish", () => {
    const bare = { routing: "handoff", target: "bob" };
    expect(routing(call("1", "p"), result("1", bare))).toMatchObject({ reason: "" });
    const odd = { routing: "finish", summary: "s", reason: 5 };
    expect(routing(call("1", "p"), result("1", odd))).toMatchObject({ reason: "finished" });
  });
});
