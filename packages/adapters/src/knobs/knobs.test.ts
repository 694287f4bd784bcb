import { ProtocolError } from "@colloquy/protocol";
import { fakeChannel } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createDefaultAdapters } from "../default-adapters.js";
import { roundRobinGraph } from "../graph/graph-factories.js";
import { findJsonFault, MAX_VALUE_DEPTH } from "./json-object.js";

const ids = ["agent-a", "agent-b"];
const needed: Readonly<Record<string, object>> = { workflow: { graph: roundRobinGraph(ids) } };
const adapters = createDefaultAdapters().map((adapter) => ({
  adapter,
  type: adapter.manifest.type,
  knobs: needed[adapter.manifest.type] ?? {},
}));

describe.each(adapters)("knobs of $type", ({ adapter, knobs }) => {
  const refusalOf = (changed: Record<string, unknown>): unknown => {
    try {
      adapter.validateCreate(fakeChannel(adapter.manifest, ids, { ...knobs, ...changed }));
    } catch (error) {
      return error;
    }
    return null;
  };

  it("keeps what it is given and fills nothing in", () => {
    const given = { ...knobs, capability: "math", view: { name: "full_transcript", args: {} } };
    expect(adapter.knobs.parse(given)).toEqual(given);
    expect(adapter.knobs.parse(knobs)).toEqual(knobs);
  });

  it("refuses an unknown knob by its name and lists the known ones", () => {
    const error = refusalOf({ orderin: "round_robin" });
    expect(error).toBeInstanceOf(ProtocolError);
    expect(String(error)).toMatch(/"orderin".* knows the knobs .*capability.*expectations.*view/);
    expect(error).toMatchObject({ details: { field: "orderin", received: "string" } });
    const long = refusalOf({ ["x".repeat(5000)]: 1 });
    expect(String((long as { message: string }).message).length).toBeLessThan(400);
  });

  it.each([
    ["view", 5],
    ["view", { name: "" }],
    ["view", { participants: { "agent-a": {} } }],
    ["expectations", {}],
    ["expectations", [{ on_violation: "audit" }]],
    ["capability", 5],
  ])("names a knob of the wrong shape: %s %j", (knob, value) => {
    const error = refusalOf({ [knob]: value });
    expect(error).toBeInstanceOf(ProtocolError);
    expect(String(error)).toContain(knob);
  });

  it("names an expectation that cannot be", () => {
    const error = refusalOf({ expectations: [{ name: "my_own" }] });
    expect(error).toBeInstanceOf(ProtocolError);
    expect(String(error)).toMatch(/expectations.*my_own/);
    expect(refusalOf({ expectations: [{ name: "my_own", on_violation: "audit" }] })).toBeNull();
  });
});

describe("knobs that only some types take", () => {
  const takes = (knob: string, value: unknown) =>
    adapters
      .filter(({ adapter, knobs }) => adapter.knobs.safeParse({ ...knobs, [knob]: value }).success)
      .map(({ type }) => type);

  it.each([
    ["on_silence", "wait", ["consulting", "discussion", "workflow"]],
    ["max_turns", 3, ["conversation", "discussion"]],
    ["max_turns", null, ["conversation", "discussion"]],
    ["max_turns", 0, []],
    ["max_turns", 1.5, []],
    ["loop_guard", 0, ["conversation", "discussion", "workflow"]],
    ["loop_guard", -1, []],
    ["ordering", "round_robin", ["discussion"]],
    ["context_vars", {}, ["workflow"]],
    ["context_vars", [], []],
    ["allow_repeat_speaker", false, ["workflow"]],
    ["on_silence", "skip", []],
  ])("%s %j", (knob, value, types) => {
    expect(takes(knob, value)).toEqual(types);
  });
});

describe("findJsonFault", () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

  it.each([null, true, 1, "x", [], {}, { constructor: { toString: [0] } }, Object.create(null)])(
    "finds nothing in %j",
    (value) => {
      expect(findJsonFault(value)).toBeNull();
      expect(findJsonFault(nested(MAX_VALUE_DEPTH))).toBeNull();
    },
  );

  it.each([
    ["a function", { f: () => 1 }, ["f"]],
    ["undefined", [1, undefined], [1]],
    ["NaN", { n: Number.NaN }, ["n"]],
    ["a map", { d: new Map() }, ["d"]],
    ["an instance", { i: new (class {})() }, ["i"]],
    ["a prototype", { p: { __proto__: { a: 1 } } }, ["p"]],
    ["a forbidden key", { p: JSON.parse('{"__proto__":1}') }, ["p"]],
  ])("finds %s", (_what, value, path) => {
    expect(findJsonFault(value)?.path).toEqual(path);
  });

  it("bounds the depth, so that cycles end", () => {
    expect(findJsonFault(nested(MAX_VALUE_DEPTH + 1))?.remedy).toContain(`${MAX_VALUE_DEPTH}`);
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(findJsonFault(cycle)).not.toBeNull();
  });
});
