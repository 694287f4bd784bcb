import { type Envelope, type ExpectedTurn, HUB_EVENTS, isProtocolEvent } from "@colloquy/protocol";
import type {
  ChannelWatch,
  Moment,
  NotedEnvelope,
  WatchedChannel,
  WatchFacts,
} from "../live/channel-watch.js";
import { isReply } from "../live/remember-envelope.js";
import type { WatchedTurn } from "./evaluator.js";
import { ReplyFacts } from "./facts/reply-facts.js";
import { TurnFacts } from "./facts/turn-facts.js";
import type { WatchPlan } from "./plan.js";

/** True for what breaks a silence: all but a channel's life, tasks and the hub's own notices. */
function isContent(eventType: string): boolean {
  return !isProtocolEvent(eventType) && !HUB_EVENTS.has(eventType);
}

/**
 * A channel's facts, and when it is to be looked at. Every open channel has one, so storage for a
 * part waits until an expectation needs it.
 */
export class Watch implements ChannelWatch {
  readonly channelId: string;
  readonly plan: WatchPlan;
  /** Epoch milliseconds of the next look; infinite for none. Belongs to the alarms. */
  wakeAt = Number.POSITIVE_INFINITY;
  /** Place among the alarms; -1 for none. Belongs to the alarms. */
  slot = -1;
  /** True while a violation is on its way into the store: nothing is looked at meanwhile. */
  busy = false;
  #contentPosition = -1;
  #contentAt = 0;
  #turn: TurnFacts | null;
  #replies: ReplyFacts | null;
  #speakers: Map<string, Moment> | null;

  constructor(channelId: string, plan: WatchPlan) {
    this.channelId = channelId;
    this.plan = plan;
    this.#turn = plan.needs.has("turn") ? new TurnFacts() : null;
    this.#replies = plan.needs.has("replies") ? new ReplyFacts() : null;
    this.#speakers = plan.needs.has("speakers") ? new Map() : null;
  }

  get content(): Moment | null {
    return this.#contentPosition < 0 ? null : [this.#contentPosition, this.#contentAt];
  }

  get turn(): WatchedTurn | null {
    return this.#turn?.now ?? null;
  }

  unanswered(agentId: string): Moment | null {
    return this.#replies?.unanswered(agentId) ?? null;
  }

  lastSaid(agentId: string): Moment | null {
    return this.#speakers?.get(agentId) ?? null;
  }

  note(channel: WatchedChannel, noted: NotedEnvelope): void {
    const { envelope, position, at } = noted;
    if (isContent(envelope.event_type)) this.#noteContent(envelope, position, at);
    if (this.#turn?.counts(envelope.event_type) === true) {
      this.#turn.note(expectedAfter(channel, noted.state), [position, at]);
    }
  }

  #noteContent(envelope: Envelope, position: number, at: number): void {
    this.#contentPosition = position;
    this.#contentAt = at;
    this.#speakers?.set(envelope.sender_id, [position, at]);
    if (isReply(envelope.event_type)) this.#replies?.note(envelope, [position, at]);
  }

  restore(facts: WatchFacts | undefined): boolean {
    if (facts === undefined) return false;
    const { needs } = this.plan;
    const { content, turn, replies, speakers } = facts;
    const isWhole =
      (content !== undefined || !needs.has("content")) &&
      (turn !== undefined || !needs.has("turn")) &&
      (replies !== undefined || !needs.has("replies")) &&
      (speakers !== undefined || !needs.has("speakers"));
    if (!isWhole) return false;
    [this.#contentPosition, this.#contentAt] = content ?? [-1, 0];
    if (this.#turn !== null) this.#turn = new TurnFacts(turn);
    if (this.#replies !== null) this.#replies = new ReplyFacts(replies);
    if (this.#speakers !== null) this.#speakers = new Map(Object.entries(speakers ?? {}));
    return true;
  }

  toJSON(): WatchFacts {
    const { needs } = this.plan;
    return {
      ...(needs.has("content") ? { content: this.content } : {}),
      ...(this.#turn === null ? {} : { turn: this.#turn.toJSON() }),
      ...(this.#replies === null ? {} : { replies: this.#replies.toJSON() }),
      ...(this.#speakers === null ? {} : { speakers: Object.fromEntries(this.#speakers) }),
    };
  }
}

/** An adapter that cannot say whose turn it is awaits nobody; whoever asks for the turn is told why. */
function expectedAfter({ adapter, metadata }: WatchedChannel, state: unknown): ExpectedTurn | null {
  try {
    return adapter?.expectedNext(metadata, state) ?? null;
  } catch {
    return null;
  }
}
