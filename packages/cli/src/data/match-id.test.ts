import { describe, expect, it } from "vitest";
import { CliError } from "../errors/cli-error.js";
import { matchId, type Named } from "./match-id.js";

const one: Named = { id: "18aa00000000f1d2", name: "alice", label: "alice" };
const two: Named = { id: "18aa0000000077cc", name: "bob", label: "bob" };
const all = [one, two];

const failure = (text: string, some: readonly Named[] = all): CliError => {
  try {
    matchId("agent", text, some);
  } catch (error) {
    if (error instanceof CliError) return error;
  }
  throw new Error("nothing was thrown");
};

describe("matchId", () => {
  it("takes an id, a name, and a unique beginning or end of an id", () => {
    expect(matchId("agent", one.id, all)).toBe(one);
    expect(matchId("agent", "bob", all)).toBe(two);
    expect(matchId("agent", "18aa0000000077", all)).toBe(two);
    expect(matchId("agent", "f1d2", all)).toBe(one);
    expect(matchId("agent", "…f1d2", all)).toBe(one);
  });

  it("prefers a name to a part of an id", () => {
    const named: Named = { id: "ffff", name: "18aa", label: "18aa" };
    expect(matchId("agent", "18aa", [...all, named])).toBe(named);
  });

  it("asks for more where several fit", () => {
    const { message, remedy, exitCode } = failure("18aa");
    expect(message).toBe('"18aa" fits 2 agents.');
    expect(remedy).toBe("Give more of the id: alice, bob.");
    expect(exitCode).toBe(1);
  });

  it("suggests what was meant, else what there is", () => {
    expect(failure("alcie").remedy).toBe("Did you mean alice?");
    expect(failure("zzz").remedy).toBe("There is alice, bob.");
    expect(failure("zzz", []).remedy).toBe("There is no agent in this data file.");
    expect(failure("").message).toBe('no agent is called "".');
  });

  it("repeats nothing that could drive a terminal", () => {
    expect(failure("\u001b[2J").message).not.toContain("\u001b");
  });
});
