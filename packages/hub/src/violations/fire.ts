import { isTerminalState, type RecordWrite } from "@colloquy/protocol";
import { beginDraft, type ChannelDraft } from "../append/channel-draft.js";
import { stageDraft } from "../append/stage-draft.js";
import type { CoreContext } from "../context/core-context.js";
import { marksRecord } from "../expectations/fired-marks.js";
import type { ViolationHandler } from "../expectations/handler.js";
import type { JudgedEntry } from "../expectations/judge.js";
import { type DueViolation, marksAfter } from "../expectations/violations.js";
import type { Watch } from "../expectations/watch.js";
import type { LiveChannel } from "../live/live-channel.js";
import type { Engine } from "./engine-parts.js";
import { builtInReactions } from "./reactions/built-in-reactions.js";

/** What fires in one channel at one instant. */
export interface Firing {
  readonly judged: readonly JudgedEntry[];
  readonly due: readonly DueViolation[];
}

/** A violation with what came of it. */
interface Fired {
  readonly due: DueViolation;
  /** Why the reaction was not possible; null when it was. */
  readonly refusal: string | null;
  /** Somebody else's handler, to be called once the mark is durable. */
  readonly handler: ViolationHandler | null;
}

/**
 * Fires what is due in a channel: the marks, and all that the hub's own reactions write, are one
 * commit, so that no crash can keep one without the other. Listeners and handlers of others hear of
 * it afterwards. Once a reaction has ended the channel, what comes behind it does not fire.
 */
export function fire(engine: Engine, live: LiveChannel, watch: Watch, firing: Firing): void {
  const context = engine.context();
  const draft = beginDraft(live);
  const fired: Fired[] = [];
  for (const due of firing.due) {
    fired.push(react(engine, draft, due));
    if (isTerminalState(draft.metadata.state)) break;
  }
  const before = engine.marks.of(live.id);
  const marks = marksAfter(
    firing.judged,
    fired.map(({ due }) => due),
  );
  const record = marksRecord(live.id, marks);
  const tellAll = (): void => {
    for (const one of fired) tell(engine, live, one);
  };
  const fate = {
    onFailed() {
      watch.busy = false;
      engine.marks.set(live.id, before);
      const { state, close_reason } = draft.metadata;
      const closeReason = isTerminalState(state) ? close_reason : null;
      engine.unsure(live.id, { record, closeReason, tell: tellAll });
    },
    onCommitted() {
      watch.busy = false;
      tellAll();
      if (draft.entries.length === 0) engine.arm(live, watch);
    },
  };
  watch.busy = true;
  engine.marks.set(live.id, marks);
  try {
    stage(context, draft, record, fate);
  } catch (error) {
    // Nothing was staged.
    context.logger.warn({ err: error, channel_id: live.id }, "a violation waits for the store");
    engine.marks.set(live.id, before);
    watch.busy = false;
    engine.retry(watch);
  }
}

function stage(
  context: CoreContext,
  draft: ChannelDraft,
  record: RecordWrite,
  fate: { onCommitted(): void; onFailed(): void },
): void {
  if (draft.entries.length === 0) {
    context.committer.enqueue({ records: [record], ...fate });
    return;
  }
  const hasEnded = isTerminalState(draft.metadata.state);
  if (hasEnded) context.tasks.endTasksOf(draft.live.id);
  // The marks of a channel that ends go with it.
  else draft.records = [record];
  stageDraft(context, draft, fate);
}

function react(engine: Engine, draft: ChannelDraft, due: DueViolation): Fired {
  const { violation } = due;
  const { on_violation } = violation.expectation;
  const handler = engine.registry.ownHandler(on_violation);
  if (handler !== undefined) return { due, refusal: null, handler };
  const reaction = builtInReactions.get(on_violation);
  if (reaction === undefined) {
    return { due, refusal: "its handler is not registered", handler: null };
  }
  try {
    const refusal = reaction.draft(engine.context(), draft, violation);
    return { due, refusal, handler: null };
  } catch (error) {
    const refusal = error instanceof Error ? error.message : String(error);
    return { due, refusal, handler: null };
  }
}

function tell(engine: Engine, live: LiveChannel, { due, refusal, handler }: Fired): void {
  const { listeners, audit, logger } = engine.context();
  const { expectation, violator_ids, detail } = due.violation;
  engine.fired += 1;
  listeners.emit("onExpectationFired", live.id, expectation, violator_ids, detail);
  if (refusal !== null) {
    const { name, on_violation } = expectation;
    const facts = { channel_id: live.id, expectation: name, on_violation, violators: violator_ids };
    logger.warn({ ...facts, reason: refusal }, "a reaction to a violation was not possible");
    audit.append({ kind: "expectation_reaction_refused", ...facts, reason: refusal });
  }
  if (handler !== null) void call(engine, live.id, due, handler);
}

/** The violation counts as fired, whatever a handler makes of it. */
async function call(
  engine: Engine,
  channelId: string,
  { violation }: DueViolation,
  handler: ViolationHandler,
): Promise<void> {
  try {
    await handler.handle(engine.hub(), channelId, violation);
  } catch (error) {
    const facts = { channel_id: channelId, handler: handler.name };
    engine.context().logger.error({ err: error, ...facts }, "a violation handler has failed");
  }
}
