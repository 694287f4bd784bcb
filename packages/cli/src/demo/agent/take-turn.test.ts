import { createDefaultAdapters } from "@colloquy/adapters";
import { isFinish, isHandoff } from "@colloquy/protocol";
import { fakeChannel } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { labelsOf, type Scene } from "../scenes.js";
import { storyOf } from "../stories/stories.js";
import { takeTurn } from "./take-turn.js";

function turnIn(scene: Scene, state: unknown, labels: Record<string, string> = labelsOf(1)) {
  const adapter = createDefaultAdapters().find(({ manifest }) => manifest.type === scene);
  if (adapter === undefined) throw new Error(`no channel type ${scene}`);
  const channel = { ...fakeChannel(adapter.manifest, ["a", "b"]), labels };
  const sets: Readonly<Record<string, unknown>>[] = [];
  const setContext = async (values: Readonly<Record<string, unknown>>): Promise<string> => {
    sets.push(values);
    return "id";
  };
  return { sets, turn: { channel, context: { state, channel: { setContext } } } };
}

const { consulting, discussion, workflow } = storyOf(1);

describe("takeTurn", () => {
  it("says the line that stands next, whoever started the process anew", async () => {
    const { turn } = turnIn("discussion", { turn_count: 4 });
    expect((await takeTurn("Bruno", turn)).text).toBe(discussion[4]);
    expect((await takeTurn("Bruno", turn)).text).toBe(discussion[4]);
    const question = turnIn("consulting", { initiator_sent: true });
    expect((await takeTurn("Bruno", question.turn)).text).toBe(consulting.answer);
  });

  it("sets the budget and hands over", async () => {
    const { turn, sets } = turnIn("workflow", { turn_count: 1, context_vars: {} });
    const { text, events } = await takeTurn("Dag", turn);
    expect(sets).toEqual([{ budget: workflow.budget }]);
    expect(text).toContain(String(workflow.budget));
    expect(events.some((event) => event.type === "tool_result" && isHandoff(event.result))).toBe(
      true,
    );
  });

  it("speaks of what others have set, and finishes with it", async () => {
    const offer = turnIn("workflow", { turn_count: 2, context_vars: { budget: 77 } });
    expect((await takeTurn("Bruno", offer.turn)).text).toContain("77 crowns");
    expect(offer.sets).toEqual([{ amount: workflow.amount, offer_made: true }]);
    const vars = { budget: 77, amount: 5 };
    const end = turnIn("workflow", { turn_count: 3, context_vars: vars });
    const { events } = await takeTurn("Chiara", end.turn);
    const [, result] = events;
    expect(result?.type === "tool_result" && isFinish(result.result) && result.result).toEqual({
      routing: "finish",
      reason: "plan_agreed",
      summary: "5 metres of shelf for 77 crowns, ready in May",
    });
  });

  it("talks with visitors too, and never runs out of words", async () => {
    const texts = [];
    for (const turn_count of [1, 3, 5, 99]) {
      const { turn } = turnIn("conversation", { turn_count }, {});
      texts.push((await takeTurn("Chiara", turn)).text);
    }
    expect(texts[0]).toContain("Welcome");
    expect(new Set(texts).size).toBe(3);
    expect(texts.every(Boolean)).toBe(true);
  });
});
