import {
  agentTarget,
  contextEquals,
  fromSpeaker,
  type TransitionGraph,
  terminateTarget,
  transition,
} from "@colloquy/adapters";
import type { AgentClient, Channel, OpenOptions } from "@colloquy/client";
import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  EV_CHANNEL_INVITE_REJECT,
} from "@colloquy/protocol";
import type { CastName } from "../cast.js";
import { channelsOfRound, endedWell, labelsOf, partOf, SCENES, type Scene } from "../scenes.js";
import { storyOf } from "../stories/stories.js";
import type { Story } from "../stories/story.js";

/** Times that a scene is opened before the round is given up. */
const MAX_ATTEMPTS = 3;
/** Milliseconds that one scene may last. */
const SCENE_LIMIT_MS = 60_000;

/** How a scene is opened. */
interface Opening extends Pick<OpenOptions, "type" | "intent" | "knobs"> {
  readonly target: readonly CastName[];
  /** What the chair says first. */
  readonly words: string;
}

/**
 * Plays the scenes of a round, one after the other, from where they stand: what has ended well is
 * left alone, what is open goes on, and everything else is opened.
 *
 * Rejects when a scene does not end as it should after several attempts.
 *
 * @param chair - the client of the one who opens the channels
 */
export async function playRound(chair: AgentClient, round: number): Promise<void> {
  for (const scene of SCENES) await playScene(chair, round, scene);
}

async function playScene(chair: AgentClient, round: number, scene: Scene): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const channel = await findOrOpen(chair, round, scene);
    if (!channel.isTerminal) {
      const words = openingOf(scene, storyOf(round)).words;
      await channel.send(words, { idempotency_key: "opening" });
      await chair.waitForChannelEvent(channel.channelId, ends, SCENE_LIMIT_MS);
    }
    if (endedWell(await channel.info())) return;
  }
  throw new Error(`the ${scene} of round ${round} did not end as it should`);
}

async function findOrOpen(chair: AgentClient, round: number, scene: Scene): Promise<Channel> {
  const all = await chair.hub.listChannels({
    agent_id: chair.agentId,
    include_terminal: true,
    limit: null,
  });
  const scenes = channelsOfRound(all, round).filter((one) => partOf(one)?.scene === scene);
  const usable = scenes.find((one) => endedWell(one) || one.state === "active");
  if (usable !== undefined) return chair.channel(usable.channel_id);
  const { words, ...opening } = openingOf(scene, storyOf(round));
  const knobs = scene === "workflow" ? { graph: await planGraph(chair) } : opening.knobs;
  return chair.open({ ...opening, knobs, labels: labelsOf(round) });
}

function openingOf(scene: Scene, story: Story): Opening {
  switch (scene) {
    case "consulting":
      return {
        type: scene,
        target: ["Bruno"],
        intent: `${story.title}: a question`,
        words: story.consulting.question,
      };
    case "conversation":
      return {
        type: scene,
        target: ["Chiara"],
        intent: `${story.title}: a conversation`,
        knobs: { max_turns: story.conversation.length },
        words: story.conversation[0] ?? "",
      };
    case "discussion":
      return {
        type: scene,
        target: ["Bruno", "Chiara"],
        intent: `${story.title}: a discussion`,
        knobs: { max_turns: story.discussion.length },
        words: story.discussion[0] ?? "",
      };
    case "workflow":
      return {
        type: scene,
        target: ["Dag", "Bruno", "Chiara"],
        intent: `${story.title}: a plan`,
        words: story.workflow.request,
      };
  }
}

/**
 * The chair asks the treasurer, who hands over to whom he likes; once an offer is made the librarian
 * decides.
 */
async function planGraph(chair: AgentClient): Promise<TransitionGraph> {
  const { Dag, Chiara } = await chair.hub.resolveNames(["Dag", "Chiara"]);
  return {
    initial_speaker: chair.agentId,
    transitions: [
      transition(fromSpeaker(chair.agentId), agentTarget(Dag ?? "Dag")),
      transition(contextEquals("offer_made", true), agentTarget(Chiara ?? "Chiara")),
    ],
    default_target: terminateTarget("no_offer"),
    max_turns: 8,
  };
}

function ends({ event_type }: Envelope): boolean {
  return (
    event_type === EV_CHANNEL_CLOSED ||
    event_type === EV_CHANNEL_EXPIRED ||
    event_type === EV_CHANNEL_INVITE_REJECT
  );
}
