import { describe, expect, expectTypeOf, it } from "vitest";
import type { Envelope } from "../envelope/envelope.js";
import type { ClientFrame } from "../frames/frames.js";
import { createPassport, type Passport } from "../registry/passport.js";
import { createResume } from "../registry/resume.js";
import { colloquyOperations } from "./colloquy-operations.js";
import {
  allOperations,
  isBareOperationName,
  isOperationName,
  type OperationInput,
  type OperationParams,
  type OperationResult,
  operations,
} from "./operations.js";

describe("the table", () => {
  it("has thirty operations, and others of its own", () => {
    const [bare, own] = [Object.keys(operations), Object.keys(colloquyOperations)];
    expect(bare).toHaveLength(30);
    expect(own.filter((name) => bare.includes(name))).toEqual([]);
    expect(Object.keys(allOperations)).toEqual([...bare, ...own]);
  });

  it("knows its names, and no property of objects", () => {
    expect(isBareOperationName("post_envelope")).toBe(true);
    expect(isBareOperationName("post")).toBe(false);
    expect(isOperationName("post")).toBe(true);
    expect(isOperationName("constructor")).toBe(false);
    expect(isOperationName("toString")).toBe(false);
  });
});

describe("optional parameters", () => {
  const id = "x";
  it.each([
    ["names_for", {}, { agent_ids: [] }],
    [
      "list_agents",
      {},
      { capability: null, evidence: null, query: null, kind: null, sort_by: null, limit: 50 },
    ],
    ["set_skill", { agent_id: id }, { agent_id: id, skill_md: null }],
    [
      "create_channel",
      { creator_id: id, manifest_type: "consulting", participants: [] },
      {
        creator_id: id,
        manifest_type: "consulting",
        manifest_version: 1,
        participants: [],
        required_acks: null,
        ttl: null,
        knobs: null,
        intent: null,
        labels: null,
        parent_channel_id: null,
      },
    ],
    ["list_channels", {}, { agent_id: null, limit: 50 }],
    ["close_channel", { channel_id: id }, { channel_id: id, reason: "" }],
    [
      "can_send",
      { channel_id: id, sender_id: id },
      { channel_id: id, sender_id: id, event_type: null },
    ],
    ["read_wal", { channel_id: id }, { channel_id: id, since: 0, until: null }],
    [
      "update_task",
      { task_id: id },
      { task_id: id, state: null, progress: null, result: null, error: "" },
    ],
    ["read_page", { channel_id: id }, { channel_id: id, after: 0, last: null, limit: 200 }],
    [
      "search_text",
      { channel_id: id, agent_id: id, query: "x" },
      {
        ...{ channel_id: id, agent_id: id, query: "x" },
        ...{ after: 0, before: null, order: "oldest", limit: 20 },
      },
    ],
  ] as const)("of %s may be absent or null", (op, input, full) => {
    const { params } = allOperations[op];
    expect(params.parse(input)).toEqual(full);
    const nulls = Object.fromEntries(Object.keys(full).map((key) => [key, null]));
    expect(params.parse({ ...nulls, ...input })).toEqual(full);
    expect(params.parse({ ...full, unknown: 1 })).toEqual(full);
  });

  it("leave required ones required", () => {
    expect(operations.get_agent.params.safeParse({}).success).toBe(false);
    expect(operations.get_agent.params.safeParse({ name_or_id: null }).success).toBe(false);
    expect(operations.register.params.safeParse({ passport: { name: "a" } }).success).toBe(false);
  });
});

it("register completes what it is given", () => {
  const { params } = operations.register;
  expect(params.parse({ passport: { name: "a" }, resume: {} })).toEqual({
    passport: createPassport({ name: "a" }),
    resume: createResume(),
    rule: null,
    skill_md: null,
  });
});

it("a page is bounded", () => {
  const { params } = colloquyOperations.read_page;
  expect(params.safeParse({ channel_id: "c", limit: 1001 }).success).toBe(false);
  expect(params.safeParse({ channel_id: "c", limit: 0 }).success).toBe(false);
  expect(params.safeParse({ channel_id: "c", after: -1 }).success).toBe(false);
});

it("types follow the table", () => {
  expectTypeOf<OperationResult<"get_agent">>().toEqualTypeOf<Passport>();
  expectTypeOf<OperationResult<"read_wal">>().toEqualTypeOf<Envelope[]>();
  expectTypeOf<OperationParams<"list_channels">>().toEqualTypeOf<{
    agent_id: string | null;
    limit: number;
  }>();
  expectTypeOf<OperationParams<"close_channel">["reason"]>().toEqualTypeOf<string>();
  expectTypeOf<{ channel_id: string }>().toExtend<OperationInput<"read_page">>();
  expectTypeOf<{ agent_id: null }>().toExtend<OperationInput<"list_channels">>();
  expectTypeOf<Extract<ClientFrame, { kind: "hello" }>["name"]>().toEqualTypeOf<string>();
  expectTypeOf<ClientFrame["kind"]>().toEqualTypeOf<
    "hello" | "ping" | "pong" | "request" | "receipt" | "receipts" | "delta"
  >();
});
