import { finish, handoff, type Tool } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { createToolCalls } from "./tool-calls.js";

const tool = (name: string, run: Tool["run"]): Tool => ({
  name,
  description: "",
  parameters: { type: "object" },
  run,
});
const call = (name: string, args: string | Record<string, unknown> = {}) => ({
  ...{ id: `${name}-id`, name },
  arguments: args,
});
const { signal } = new AbortController();

describe("createToolCalls", () => {
  it("tells what is wrong with a call, and what a tool throws", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const calls = createToolCalls({ signal, tools: [tool("cycle", async () => cycle)] }, [
      tool("fails", async () => {
        throw new Error("no such file");
      }),
    ]);
    const said = [
      await calls.run(call("fly")),
      await calls.run(call("fails", "{")),
      await calls.run(call("fails")),
      await calls.run(call("cycle")),
    ];
    expect(said).toEqual([
      { failed: true, text: "Error: there is no tool 'fly'; there are: fails, cycle" },
      { failed: true, text: "Error: fails: the arguments are no JSON object: {" },
      { failed: true, text: "Error: no such file" },
      { failed: true, text: "Error: the result cannot be written as JSON" },
    ]);
    expect(calls.events.map(({ type }) => type)).toEqual(
      said.flatMap(() => ["tool_call", "tool_result"]),
    );
  });

  it("takes the first handoff or finish, and answers every later one as not taken", async () => {
    const calls = createToolCalls({ signal, tools: [] }, [
      tool("pass", async () => handoff("bob")),
      tool("done", async () => finish("all said")),
      tool("note", async () => ({ noted: 1, at: undefined })),
    ]);
    const said = [];
    for (const name of ["note", "pass", "done", "note"]) said.push(await calls.run(call(name)));
    expect(calls.routed).toBe(true);
    const results = calls.events.flatMap((event) =>
      event.type === "tool_result" ? [event.result] : [],
    );
    expect(results).toEqual([
      { noted: 1 },
      handoff("bob"),
      expect.stringMatching(/^Error: not taken: /),
      { noted: 1 },
    ]);
    expect(said[0]).toEqual({ text: '{"noted":1}', failed: false });
    expect(said[2]?.failed).toBe(true);
  });

  it("offers a tool of the agent's own in place of one of its name, and nothing twice", async () => {
    const calls = createToolCalls({ signal, tools: [tool("say", async () => "theirs")] }, [
      tool("say", async () => "own"),
    ]);
    expect(calls.tools).toHaveLength(1);
    expect((await calls.run(call("say"))).text).toBe("own");
  });

  it("passes the end of the turn on", async () => {
    const ended = new AbortController();
    const reason = new Error("time is up");
    const calls = createToolCalls({ signal: ended.signal, tools: [] }, [
      tool("dig", async () => {
        ended.abort(reason);
        throw new Error("interrupted");
      }),
    ]);
    await expect(calls.run(call("dig"))).rejects.toBe(reason);
  });
});
