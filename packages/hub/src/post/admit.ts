import { isProtocolEvent, isTerminalState } from "@colloquy/protocol";
import { stageDraft } from "../append/stage-draft.js";
import type { CoreContext } from "../context/core-context.js";
import type { Posted } from "../hub.js";
import type { RememberedAnswer } from "../live/causation-index.js";
import type { LiveChannel } from "../live/live-channel.js";
import { type Judgement, judgePost } from "./judge-post.js";
import type { Incoming } from "./read-incoming.js";

/** Where the fate of an admitted envelope is told. */
export interface PostAnswer {
  resolve(posted: Posted): void;
  reject(error: Error): void;
}

/**
 * Decides on one envelope in a channel that is ready, and stages it. Synchronous from end to end,
 * so that the order of admission is the order of the WAL, of ids, of folds and of deliveries.
 *
 * Throws to refuse; nothing of the hub has changed then. Otherwise the answer is told once what was
 * staged is durable or has failed.
 */
export function admit(
  context: CoreContext,
  live: LiveChannel,
  incoming: Incoming,
  answer: PostAnswer,
): void {
  const judgement = judgePost(context, live, incoming);
  if (judgement.kind === "repeat") answerRepeat(context, live, judgement.first, answer);
  else stagePost(context, judgement, answer);
}

function answerRepeat(
  context: CoreContext,
  live: LiveChannel,
  { envelope_id, position, created_at }: RememberedAnswer,
  answer: PostAnswer,
): void {
  const posted = { envelope_id, position, created_at, duplicate: true, notes: [] };
  if (position <= live.committed) answer.resolve(posted);
  else {
    context.committer.enqueue({
      onCommitted: () => answer.resolve(posted),
      onFailed: (error) => answer.reject(error),
    });
  }
}

function stagePost(
  context: CoreContext,
  { draft, entry, sender, counts, notes }: Extract<Judgement, { kind: "new" }>,
  answer: PostAnswer,
): void {
  const { envelope_id, created_at } = entry.envelope;
  const { position } = entry;
  if (isTerminalState(draft.metadata.state)) context.tasks.endTasksOf(draft.live.id);
  const announced = isProtocolEvent(entry.envelope.event_type) ? [] : entry.recipients;
  const usage = counts ? context.allowances.take(sender) : null;
  stageDraft(context, draft, {
    ...(usage === null ? {} : { records: [usage] }),
    onCommitted() {
      context.delivery.retract(announced);
      answer.resolve({ envelope_id, position, created_at, duplicate: false, notes });
    },
    onFailed(error) {
      context.delivery.retract(announced);
      if (usage !== null) context.allowances.giveBack(sender.id);
      answer.reject(error);
    },
  });
  context.delivery.announce(announced);
}
