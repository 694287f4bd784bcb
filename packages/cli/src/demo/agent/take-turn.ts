import type { Reply, Turn } from "@colloquy/client";
import { finish, handoff, type RoundEvent } from "@colloquy/protocol";
import type { CastName } from "../cast.js";
import { partOf, SCENE_ENDS } from "../scenes.js";
import { storyOf } from "../stories/stories.js";
import { fillIn, type Story } from "../stories/story.js";
import { smallTalk } from "./small-talk.js";

/** What a turn of the demonstration looks at. */
export type PlayedTurn = Pick<Turn, "channel"> & {
  readonly context: Pick<Turn["context"], "state"> & {
    readonly channel: Pick<Turn["context"]["channel"], "setContext">;
  };
};

type Vars = Readonly<Record<string, unknown>>;

/**
 * The answer of a member of the cast. It depends on nothing but the channel, so a process that was
 * started again goes on where the last one stopped.
 */
export async function takeTurn(name: CastName, turn: PlayedTurn): Promise<Reply> {
  const part = partOf(turn.channel);
  const spoken = spokenIn(turn.context.state);
  if (part === null) return says(smallTalk(name, spoken));
  const story = storyOf(part.round);
  switch (part.scene) {
    case "consulting":
      return says(story.consulting.answer);
    case "conversation":
    case "discussion":
      return says(story[part.scene][spoken] ?? null);
    case "workflow":
      return takeStep(story.workflow, spoken, turn);
  }
}

/** The steps after the request: money, an offer, a decision. */
async function takeStep(
  workflow: Story["workflow"],
  step: number,
  { context: { channel, state } }: PlayedTurn,
): Promise<Reply> {
  const vars = varsOf(state);
  switch (step) {
    case 1: {
      const { budget, handover } = workflow;
      await channel.setContext({ budget });
      const text = fillIn(workflow.grant, { ...vars, budget });
      return says(text, called("hand_over", { to: "Bruno" }, handoff("Bruno", handover)));
    }
    case 2: {
      const { amount } = workflow;
      await channel.setContext({ amount, offer_made: true });
      return says(fillIn(workflow.offer, { ...vars, amount }));
    }
    default: {
      const summary = fillIn(workflow.summary, vars);
      const settled = called("settle", { summary }, finish(summary, SCENE_ENDS.workflow));
      return says(fillIn(workflow.decision, vars), settled);
    }
  }
}

function says(text: string | null, events: readonly RoundEvent[] = []): Reply {
  return { text, events };
}

/** A tool call as a model would have made it, with its result. */
function called(name: string, args: Record<string, unknown>, result: unknown): RoundEvent[] {
  return [
    { type: "tool_call", id: name, name, arguments: args },
    { type: "tool_result", id: name, result },
  ];
}

/** Turns taken; in a consulting channel, which does not count, 0. */
function spokenIn(state: unknown): number {
  const count = isRecord(state) ? state["turn_count"] : 0;
  return typeof count === "number" ? count : 0;
}

function varsOf(state: unknown): Vars {
  const vars = isRecord(state) ? state["context_vars"] : {};
  return isRecord(vars) ? vars : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
