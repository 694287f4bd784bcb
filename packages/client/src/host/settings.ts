import type { KnowledgeStore, PassportInput, ResumeInput, RuleInput } from "@colloquy/protocol";
import type { EnvelopeHandler } from "../agent/agent-client.js";
import type { EnvelopeCallback } from "../human/human-client.js";
import type { InboxBounds } from "../inbox/channel-inboxes.js";
import type { CheckpointStore } from "../task/checkpoint-store.js";

/** What agents and people have in common when they are registered or attached. */
export interface ParticipantSettings {
  readonly resume?: ResumeInput | undefined;
  readonly rule?: RuleInput | undefined;
  /** Skill text in Markdown. */
  readonly skill?: string | undefined;
  /** Bounds of its inboxes. */
  readonly inbox?: Partial<InboxBounds> | undefined;
}

/** How to register or attach an agent. */
export interface AgentSettings extends ParticipantSettings {
  /** Default: a passport with the agent's own name. */
  readonly passport?: Partial<PassportInput> | undefined;
  /** Handler from the first envelope on, in place of the default one. */
  readonly onEnvelope?: EnvelopeHandler | undefined;
  /** Milliseconds that one turn may take; default 600,000. */
  readonly turnTimeoutMs?: number | undefined;
  /** Where its tasks keep checkpoints; default: the hub. */
  readonly checkpoints?: CheckpointStore | undefined;
  /**
   * Give the agent the network tools (`delegate`, `peers`, `channels`, `tasks`, `context`) and tell it
   * who it is; default true.
   */
  readonly networkTools?: boolean | undefined;
  /** What the tool `context` searches with `scope: "knowledge"`. Without it that is an error. */
  readonly knowledge?: KnowledgeStore | undefined;
  /**
   * Whom the pieces of an answer are shown to while it is written: `members` (default), those of its
   * channel who may see the envelope that it answers, or nobody (`off`). An agent that decides only at
   * the end of a turn that some members are not to see its answer needs `off`.
   */
  readonly stream?: "members" | "off" | undefined;
  /**
   * Milliseconds for which pieces are gathered before they leave as one; default 50. The first of a
   * turn leaves at once, and so does what has 4,096 characters; 0 sends each piece as it comes.
   */
  readonly deltaIntervalMs?: number | undefined;
  /** Turns that may run at once, over all channels; default 16. */
  readonly maxParallelTurns?: number | undefined;
}

/** How to register or attach a person. */
export interface HumanSettings extends ParticipantSettings {
  /** A callback that hears every envelope from the first on. */
  readonly onEnvelope?: EnvelopeCallback | undefined;
  /** Accept invitations without asking; default true. */
  readonly autoAcceptInvites?: boolean | undefined;
  /**
   * When the hub is told that an envelope has arrived: `on_arrival` (default), or `by_hand` through
   * `acknowledge`, so that what was not dealt with comes again after a restart.
   */
  readonly receipts?: "on_arrival" | "by_hand" | undefined;
  /** Unread envelopes that are kept, beyond which the oldest is left out; default 1,000. */
  readonly queueCapacity?: number | undefined;
}
