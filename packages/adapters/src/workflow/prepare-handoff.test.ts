import { EV_PACKET, EV_TEXT } from "@colloquy/protocol";
import { fakeChannel, fakeEnvelope } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { workflowManifest } from "./manifest.js";
import { prepareHandoff } from "./prepare-handoff.js";

const channel = fakeChannel(workflowManifest, ["id-a", "id-b"]);
const ids: Readonly<Record<string, string>> = { bob: "id-b", eve: "id-e", "id-a": "id-b" };
const context = { resolveName: (name: string) => ids[name] ?? null };
const prepare = (routing: unknown, event_type = EV_PACKET) => {
  const event_data = { body: "hello", routing };
  const envelope = fakeEnvelope(channel, "id-a", { event_type, event_data });
  return { given: event_data, ...prepareHandoff(channel, envelope, context) };
};

describe("prepareHandoff", () => {
  it("makes a name an id", () => {
    const { event_data, notes } = prepare({ kind: "handoff", tool: "t", target: "bob" });
    expect(event_data).toEqual({
      body: "hello",
      routing: { kind: "handoff", tool: "t", target: "id-b" },
    });
    expect(notes).toEqual([]);
  });

  it("lets an exact id stand, also where it is somebody's name", () => {
    const { event_data, given, notes } = prepare({ kind: "handoff", target: "id-a" });
    expect(event_data).toBe(given);
    expect(notes).toEqual([]);
  });

  it.each(["nobody", "eve", "id-e", "__proto__"])(
    "F-017 takes out %s, who takes no part, and tells the speaker who does",
    (target) => {
      const { event_data, notes } = prepare({ kind: "handoff", tool: "t", reason: "r", target });
      expect(event_data["routing"]).toEqual({
        kind: "handoff",
        tool: "t",
        reason: "r",
        unresolved_target: target,
      });
      expect(notes).toHaveLength(1);
      expect(notes[0]).toMatch(/not taken.*'id-a', 'id-b'.*graph/);
      expect(notes[0]).toContain(`'${target}'`);
    },
  );

  it("leaves alone what hands nothing to anybody", () => {
    for (const routing of [
      null,
      { kind: "text" },
      { kind: "handoff", tool: "t" },
      { kind: "handoff", target: "" },
      { kind: "finish", target: "nobody" },
    ]) {
      const { event_data, given, notes } = prepare(routing);
      expect(event_data).toBe(given);
      expect(notes).toEqual([]);
    }
    const said = prepare({ kind: "handoff", target: "nobody" }, EV_TEXT);
    expect(said.event_data).toBe(said.given);
  });
});
