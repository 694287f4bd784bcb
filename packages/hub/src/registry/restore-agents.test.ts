import {
  createPassport,
  createResume,
  createRule,
  type RecordKind,
  type StoredRecord,
} from "@colloquy/protocol";
import { createFakeIds, createRecordingLogger } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createAgentTable } from "./mutable-agent-table.js";
import { restoreAgents } from "./restore-agents.js";

const ID = "19".padEnd(32, "0");
const LATER_ID = "1a".padEnd(32, "0");

function restore(...records: readonly (readonly [RecordKind, string, unknown])[]) {
  const agents = createAgentTable();
  const ids = createFakeIds();
  const logger = createRecordingLogger();
  const stored = records.map(([kind, id, value]): StoredRecord => {
    return { kind, id, value: typeof value === "string" ? value : JSON.stringify(value) };
  });
  restoreAgents({ agents, ids, logger }, stored);
  return { agents, ids, logger };
}

describe("restoreAgents", () => {
  it("takes agents up in the order of their ids, whatever the order of the records", () => {
    const { agents } = restore(
      ["resume", LATER_ID, createResume({ claimed_capabilities: ["x"] })],
      ["agent", LATER_ID, createPassport({ name: "bob" })],
      ["task", "t", {}],
      ["agent", ID, createPassport({ name: "ada" })],
    );
    expect([...agents.all()].map(({ id, passport }) => [id, passport.name])).toEqual([
      [ID, "ada"],
      [LATER_ID, "bob"],
    ]);
    expect(agents.withCapability("x")).toEqual([LATER_ID]);
    expect(agents.get(ID)?.passport.agent_id).toBe(ID);
  });

  it("closes an agent off whose rule cannot be read", () => {
    const { agents, logger } = restore(
      ["agent", ID, createPassport({ name: "ada" })],
      ["rule", ID, "{"],
    );
    expect(agents.get(ID)?.rule.access).toEqual({
      inbound_from: [],
      outbound_to: [],
      channel_types: { initiate: [], accept: [] },
    });
    expect(logger.at("error")).toHaveLength(1);
  });

  it("goes on with an empty resume and the default rule where there is none", () => {
    const { agents, logger } = restore(
      ["agent", ID, createPassport({ name: "ada" })],
      ["agent", LATER_ID, createPassport({ name: "bob" })],
      ["resume", LATER_ID, { summary: 7 }],
    );
    expect(agents.get(ID)).toMatchObject({ resume: createResume(), rule: createRule() });
    expect(agents.get(LATER_ID)?.resume).toEqual(createResume());
    expect(logger.at("error").map(({ fields }) => fields)).toEqual([
      { record: `resume of ${LATER_ID}` },
    ]);
  });

  it("leaves an agent out whose passport cannot be read, and still passes its id", () => {
    const { agents, ids, logger } = restore(
      ["agent", ID, createPassport({ name: "ada" })],
      ["agent", LATER_ID, '{"name":7}'],
    );
    expect(agents.size).toBe(1);
    expect(logger.at("error")).toHaveLength(1);
    expect(ids.next() > LATER_ID).toBe(true);
  });

  it("cleans claims out of records that still hold one", () => {
    const passport = createPassport({ name: "ada", auth: { claim: { token: "x" } } });
    const { agents } = restore(["agent", ID, passport]);
    expect(agents.get(ID)?.passport.auth.claim).toEqual({});
  });
});
