import {
  type ChannelAdapter,
  type Envelope,
  isProtocolEvent,
  isTerminalState,
  NotFoundError,
  TooLargeError,
  UnavailableError,
} from "@colloquy/protocol";
import {
  beginDraft,
  type ChannelDraft,
  type DraftEntry,
  draftEnvelope,
} from "../append/channel-draft.js";
import { stageDraft } from "../append/stage-draft.js";
import { draftEnd } from "../channels/draft-transition.js";
import { checkInvitee, draftAnswer, isInviteAnswer } from "../channels/handshake.js";
import type { CoreContext } from "../context/core-context.js";
import { adapterFault } from "../core/adapter-fault.js";
import { quote } from "../core/quote.js";
import type { Posted } from "../hub.js";
import type { LiveChannel } from "../live/live-channel.js";
import { decide } from "../policy/decide.js";
import type { AgentEntry } from "../registry/agent-table.js";
import { checkMember, checkOneReply, checkState, requireAdapter } from "./channel-gates.js";
import { findDuplicate } from "./find-duplicate.js";
import { prepareContent } from "./prepare-content.js";
import type { Incoming } from "./read-incoming.js";
import { type ResolvedAudience, resolveAudience } from "./resolve-audience.js";

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
  const { envelope } = incoming;
  const sender = requireSender(context, envelope.sender_id);
  checkMember(live, envelope);
  if (answerDuplicate(context, live, incoming, answer)) return;
  checkRoom(context);
  const isAnswer = isInviteAnswer(envelope.event_type);
  if (isAnswer) checkInvitee(live.metadata, sender.id);
  const audience = resolveAudience(context, live, envelope);
  address(live, envelope, audience);
  gateSend(context, envelope, sender, audience);
  checkState(context, live, envelope);
  const adapter = requireAdapter(context, live);
  gateInboxes(context, envelope, audience.recipients);
  const { content, notes } = prepareContent(context, { live, adapter }, incoming);
  envelope.event_data = content.value;
  checkOneReply(live, sender, envelope);
  validateSend(context, live, adapter, envelope);

  context.traces?.begin(envelope);
  const draft = beginDraft(live);
  const entry = draftEnvelope(context, draft, {
    envelope,
    content,
    recipients: isAnswer ? [] : audience.recipients.map(({ id }) => id),
    announced: !isAnswer,
  });
  checkSize(context, entry);
  if (isAnswer) {
    draftAnswer(context, draft, { senderId: sender.id, eventType: envelope.event_type });
  }
  const close = acceptedClose(context, draft, adapter, entry);
  if (close !== undefined) draftEnd(context, draft, { state: "closed", reason: close });
  stagePost(context, draft, { entry, notes: joinNotes(audience.notes, notes), answer });
}

function validateSend(
  { logger }: CoreContext,
  live: LiveChannel,
  adapter: ChannelAdapter,
  envelope: Envelope,
): void {
  try {
    adapter.validateSend(live.metadata, envelope, live.state);
  } catch (error) {
    throw adapterFault({ logger, channelId: live.id, method: "validateSend" }, error);
  }
}

/** Why the adapter wants the channel closed; undefined when it does not, or the channel has ended already. */
function acceptedClose(
  { logger }: CoreContext,
  { live, metadata }: ChannelDraft,
  adapter: ChannelAdapter,
  entry: DraftEntry,
): string | undefined {
  if (isTerminalState(metadata.state)) return undefined;
  try {
    return adapter.onAccepted(metadata, entry.envelope, entry.state).close;
  } catch (error) {
    throw adapterFault({ logger, channelId: live.id, method: "onAccepted" }, error);
  }
}

function joinNotes(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length === 0) return b;
  return b.length === 0 ? a : [...a, ...b];
}

function requireSender({ agents }: CoreContext, senderId: string): AgentEntry {
  const sender = agents.get(senderId);
  if (sender !== undefined) return sender;
  throw new NotFoundError(`sender not registered: ${quote(senderId)}`);
}

function answerDuplicate(
  context: CoreContext,
  live: LiveChannel,
  incoming: Incoming,
  answer: PostAnswer,
): boolean {
  const first = findDuplicate(context, live, incoming);
  if (first === null) return false;
  const { envelope_id, position, created_at } = first;
  const posted = { envelope_id, position, created_at, duplicate: true, notes: [] };
  if (position <= live.committed) answer.resolve(posted);
  else {
    context.committer.enqueue({
      onCommitted: () => answer.resolve(posted),
      onFailed: (error) => answer.reject(error),
    });
  }
  return true;
}

/** An answer is at least as deep as what it answers, whatever its sender says. */
function address(live: LiveChannel, envelope: Envelope, { audience }: ResolvedAudience): void {
  envelope.audience = audience;
  if (envelope.causation_id === null) return;
  envelope.depth = Math.max(envelope.depth, live.causation.depthOf(envelope.causation_id));
}

function gateSend(
  context: CoreContext,
  envelope: Envelope,
  sender: AgentEntry,
  { audience, recipients }: ResolvedAudience,
): void {
  const explicit = audience === null ? [] : recipients;
  decide(context.arbiter.authorizeSend({ envelope, sender, recipients: explicit }));
}

/** All inboxes have room, or nobody gets it. */
function gateInboxes(
  context: CoreContext,
  envelope: Envelope,
  recipients: readonly AgentEntry[],
): void {
  if (isProtocolEvent(envelope.event_type)) return;
  for (const recipient of recipients) {
    const pending = context.delivery.pending(recipient.id);
    decide(context.arbiter.authorizeInbox({ envelope, recipient, pending }));
  }
}

function checkRoom({ committer, limits }: CoreContext): void {
  if (committer.staged < limits.maxStagedEnvelopes) return;
  throw new UnavailableError(
    `the store is behind: ${committer.staged} envelopes wait for it (maxStagedEnvelopes); retry later`,
  );
}

function checkSize({ limits }: CoreContext, { sealed }: DraftEntry): void {
  const max = limits.maxEnvelopeBytes;
  // A UTF-16 unit takes at most three bytes, so that most texts need no count.
  if (sealed.body.length * 3 <= max) return;
  const bytes = Buffer.byteLength(sealed.body);
  if (bytes <= max) return;
  throw new TooLargeError(
    `the envelope has ${bytes} bytes of JSON, more than maxEnvelopeBytes (${max})`,
    { details: { bytes, max_bytes: max } },
  );
}

interface StagePost {
  readonly entry: DraftEntry;
  readonly notes: readonly string[];
  readonly answer: PostAnswer;
}

function stagePost(
  context: CoreContext,
  draft: ChannelDraft,
  { entry, notes, answer }: StagePost,
): void {
  const { envelope_id, created_at } = entry.envelope;
  const { position } = entry;
  if (isTerminalState(draft.metadata.state)) context.tasks.endTasksOf(draft.live.id);
  const announced = isProtocolEvent(entry.envelope.event_type) ? [] : entry.recipients;
  stageDraft(context, draft, {
    onCommitted() {
      context.delivery.retract(announced);
      answer.resolve({ envelope_id, position, created_at, duplicate: false, notes });
    },
    onFailed(error) {
      context.delivery.retract(announced);
      answer.reject(error);
    },
  });
  context.delivery.announce(announced);
}
