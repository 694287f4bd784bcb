import { type Envelope, EV_CONTEXT_SET, EV_PACKET, EV_TEXT } from "@colloquy/protocol";
import { fakeChannel, fakeEnvelope } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { PASSED_TURN_INPUT } from "../text/turn-input.js";
import { workflowManifest } from "./manifest.js";
import { renderWorkflow, workflowTurnInput } from "./render-packet.js";

const channel = fakeChannel(workflowManifest, ["id-a", "id-b"]);
const event = (event_type: string, event_data: Envelope["event_data"]) =>
  fakeEnvelope(channel, "id-a", { event_type, event_data });
const packet = (event_data: Envelope["event_data"]) => event(EV_PACKET, event_data);
const handed = { kind: "handoff", tool: "t", target: "id-b", reason: "knows billing" };

describe("what a workflow shows", () => {
  it("F-039 is the body alone, once, without routing or bookkeeping", () => {
    const body = "the answer";
    const context_updates = { set: { secret: "s3cret" }, delete: ["old"] };
    const finish = { kind: "finish", tool: "wrap_up", reason: "done", summary: "short" };
    for (const routing of [{ kind: "text" }, finish, null]) {
      const shown = packet({ routing, context_updates, context: { hidden: 1 }, body });
      expect(renderWorkflow(shown)).toBe(body);
      expect(workflowTurnInput(shown)).toBe(body);
    }
    expect(renderWorkflow(event(EV_TEXT, { text: body }))).toBe(body);
    expect(renderWorkflow(event(EV_CONTEXT_SET, { set: { a: 1 } }))).toBeNull();
    expect(workflowTurnInput(event(EV_CONTEXT_SET, { set: { a: 1 } }))).toBeNull();
  });

  it("F-039 says that a handoff happened, by which tool and why, and not to whom", () => {
    const line = "[Handed off via t] knows billing";
    expect(renderWorkflow(packet({ routing: handed, body: "" }))).toBe(line);
    expect(renderWorkflow(packet({ routing: handed, body: "over" }))).toBe(`${line}\nover`);
    expect(workflowTurnInput(packet({ routing: handed, body: "over" }))).toBe(`${line}\nover`);
  });

  it("names a missing tool as the reference does", () => {
    const routing = { kind: "handoff" };
    expect(renderWorkflow(packet({ routing }))).toBe("[Handed off via ]");
    expect(workflowTurnInput(packet({ routing }))).toBe("[Handed off via handoff]");
    const why = { kind: "handoff", reason: "why" };
    expect(renderWorkflow(packet({ routing: why }))).toBe("[Handed off via ] why");
  });

  it("F-038 is nothing for blank text, and the next speaker still gets a turn", () => {
    for (const blank of ["", " ", "\n\t", "\u200b"]) {
      const silent = [
        packet({ routing: { kind: "text" }, body: blank }),
        packet({ routing: { kind: "finish" }, body: blank }),
        event(EV_TEXT, { text: blank }),
      ];
      for (const envelope of silent) {
        expect(renderWorkflow(envelope)).toBeNull();
        expect(workflowTurnInput(envelope)).toBe(PASSED_TURN_INPUT);
      }
      expect(renderWorkflow(packet({ routing: handed, body: blank }))).toMatch(/billing$/);
    }
    expect(renderWorkflow(packet({}))).toBeNull();
    expect(renderWorkflow(event(EV_TEXT, { text: 5 }))).toBeNull();
    expect(workflowTurnInput(event(EV_TEXT, { text: 5 }))).toBeNull();
  });
});
