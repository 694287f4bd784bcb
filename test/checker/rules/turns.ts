import type { Finding } from "../finding.js";
import { endsChannel, type Log, type LoggedChannel, type LoggedEnvelope } from "../log/log.js";
import type { Members } from "../log/members.js";

/** Answers in a row after which a discussion without a cap ends. */
const LOOP_GUARD = 1_000;

/** How one type of channel is spoken in. */
interface Turns {
  /** Who may speak now; null when nobody may. */
  readonly speaker: string | null;
  /** Somebody has spoken. Gives the reason with which the channel has to end now, or null. */
  spoken(text: LoggedEnvelope): string | null;
  /** Somebody has come or gone, or is spoken to no longer. */
  changed?(notice: LoggedEnvelope): void;
  /** The turn goes to another; absent where it cannot. */
  reassigned?(to: string): void;
}

/** Types whose turns are known here, each written down a second time, apart from the hub's own. */
const TYPES: ReadonlyMap<string, (channel: LoggedChannel) => Turns> = new Map([
  ["consulting", consulting],
  ["discussion", discussion],
]);

/** Texts are spoken by whoever has the turn, and a channel ends when its type says so. */
export function* checkTurns(log: Log): Generator<Finding, void> {
  for (const channel of log.channels.values()) {
    const turns = TYPES.get(channel.type)?.(channel);
    if (turns !== undefined) yield* checkChannel(channel, turns);
  }
}

function* checkChannel(channel: LoggedChannel, turns: Turns): Generator<Finding, void> {
  for (const [index, text] of channel.envelopes.entries()) {
    if (text.before !== text.after) turns.changed?.(text);
    if (text.eventType === "colloquy.turn.reassigned") yield* checkReassigned(text, turns);
    if (text.eventType !== "ag2.msg.text") continue;
    const { where } = text;
    if (text.senderId !== turns.speaker) {
      const message = `${text.senderId} speaks, and the turn is ${turns.speaker ?? "nobody"}'s`;
      yield { kind: "turn", where, message };
    }
    const reason = turns.spoken(text);
    if (reason === null) continue;
    const next = channel.envelopes[index + 1];
    if (next === undefined || !endsChannel(next) || next.data["reason"] !== reason) {
      yield { kind: "end", where, message: `the channel has to end behind it with ${reason}` };
    }
  }
}

/** A turn is taken from whoever has it. */
function* checkReassigned(envelope: LoggedEnvelope, turns: Turns): Generator<Finding, void> {
  const { where, data } = envelope;
  if (data["from"] !== turns.speaker || turns.reassigned === undefined) {
    const message = `the turn of ${String(data["from"])} is handed on, and it is ${turns.speaker ?? "nobody"}'s`;
    yield { kind: "turn", where, message };
  }
  turns.reassigned?.(String(data["to"]));
}

/** One question by the creator, one answer by the other. */
function consulting({ founders: members, creatorId }: LoggedChannel): Turns {
  const order = [creatorId, ...members.filter((id) => id !== creatorId)];
  let said = 0;
  return {
    get speaker() {
      return order[said] ?? null;
    },
    spoken() {
      said += 1;
      return said === 2 ? "consulting_complete" : null;
    },
  };
}

/** Round and round in the members' order, from the creator on. */
function discussion({ founders, creatorId, knobs }: LoggedChannel): Turns {
  const cap = knobs["max_turns"];
  const maxTurns = typeof cap === "number" ? cap : null;
  const guard = knobs["loop_guard"];
  const loopGuard = typeof guard === "number" ? guard : maxTurns === null ? LOOP_GUARD : 0;
  let speaker = creatorId;
  let now: Members = { order: founders, hidden: [] };
  const follow = (id: string, { order, hidden }: Members): string => {
    const at = order.indexOf(id);
    const behind = [...order.slice(at + 1), ...order.slice(0, at + 1)];
    return behind.find((one) => !hidden.includes(one)) ?? "";
  };
  let said = 0;
  let answers = 0;
  return {
    get speaker() {
      return speaker;
    },
    spoken({ senderId, causationId }) {
      speaker = follow(senderId, now);
      said += 1;
      answers = causationId === null ? 0 : answers + 1;
      if (maxTurns !== null && said >= maxTurns) return "max_turns";
      return loopGuard > 0 && answers >= loopGuard ? "loop_guard" : null;
    },
    changed({ before, after }) {
      now = after;
      const isThere = after.order.includes(speaker) && !after.hidden.includes(speaker);
      if (isThere) return;
      const hidden = [...before.hidden, speaker];
      speaker = follow(speaker, { order: before.order, hidden }) || speaker;
    },
    reassigned(to) {
      speaker = to;
    },
  };
}
