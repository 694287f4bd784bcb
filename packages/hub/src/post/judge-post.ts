import {
  type ChannelAdapter,
  type Envelope,
  isProtocolEvent,
  isTerminalState,
  NotFoundError,
  TooLargeError,
} from "@colloquy/protocol";
import {
  beginDraft,
  type ChannelDraft,
  type DraftEntry,
  draftEnvelope,
} from "../append/channel-draft.js";
import { draftEnd } from "../channels/draft-transition.js";
import { checkInvitee, draftAnswer, isInviteAnswer } from "../channels/handshake.js";
import type { CoreContext } from "../context/core-context.js";
import { adapterFault } from "../core/adapter-fault.js";
import { overloaded } from "../core/overloaded.js";
import { quote } from "../core/quote.js";
import type { RememberedAnswer } from "../live/causation-index.js";
import type { LiveChannel } from "../live/live-channel.js";
import { decide } from "../policy/decide.js";
import type { AgentEntry } from "../registry/agent-table.js";
import { checkMember, checkOneReply, checkState, requireAdapter } from "./channel-gates.js";
import { checkParts } from "./check-parts.js";
import { findDuplicate } from "./find-duplicate.js";
import { prepareContent } from "./prepare-content.js";
import type { Incoming } from "./read-incoming.js";
import { type ResolvedAudience, resolveAudience } from "./resolve-audience.js";

/** What is to be done with an envelope that is not refused. */
export type Judgement =
  | {
      readonly kind: "new";
      readonly draft: ChannelDraft;
      readonly entry: DraftEntry;
      readonly sender: AgentEntry;
      /** False for the answers to an invitation, which use nothing of a sender's rate. */
      readonly counts: boolean;
      readonly notes: readonly string[];
    }
  | { readonly kind: "repeat"; readonly first: RememberedAnswer };

/**
 * Decides on one envelope in a channel that is ready: everything that may refuse it, in its order.
 * Synchronous, and nothing of the hub changes, so that it serves a dry run too; only the envelope,
 * which belongs to the admission, is completed in place.
 *
 * @throws what refuses it
 */
export function judgePost(context: CoreContext, live: LiveChannel, incoming: Incoming): Judgement {
  const { envelope } = incoming;
  const sender = requireSender(context, envelope.sender_id);
  checkMember(live, envelope);
  const first = findDuplicate(context, live, incoming);
  if (first !== null) return { kind: "repeat", first };
  checkRoom(context);
  const isAnswer = isInviteAnswer(envelope.event_type);
  if (isAnswer) checkInvitee(live.metadata, sender.id);
  envelope.depth = Math.max(envelope.depth, incoming.leastDepth, live.depthFloor);
  const audience = resolveAudience(context, live, envelope, sender);
  envelope.audience = audience.audience;
  gateSend(context, envelope, sender, audience);
  if (!isAnswer) gateRate(context, envelope, sender);
  checkState(context, live, envelope);
  const adapter = requireAdapter(context, live);
  gateInboxes(context, envelope, audience.recipients);
  const { content, notes } = prepareContent(context, { live, adapter }, incoming);
  envelope.event_data = content.value;
  checkParts(context.limits, envelope);
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
  const allNotes = joinNotes(audience.notes, notes);
  return { kind: "new", draft, entry, sender, counts: !isAnswer, notes: allNotes };
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
    throw adapterFault({ logger, channelId: live.id, method: "validateSend", envelope }, error);
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
    const { envelope } = entry;
    throw adapterFault({ logger, channelId: live.id, method: "onAccepted", envelope }, error);
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

function gateSend(
  context: CoreContext,
  envelope: Envelope,
  sender: AgentEntry,
  { audience, recipients }: ResolvedAudience,
): void {
  const explicit = audience === null ? [] : recipients;
  const verdict = context.arbiter.authorizeSend({ envelope, sender, recipients: explicit });
  decide(verdict);
}

/** Nothing is used yet: that follows when the envelope is staged. */
function gateRate(context: CoreContext, envelope: Envelope, sender: AgentEntry): void {
  const used = context.allowances.usedBy(sender);
  const now = context.clock.now();
  decide(context.arbiter.authorizeRate({ envelope, sender, used, now }));
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
  committer.requireRunning();
  if (committer.staged >= limits.maxStagedEnvelopes) {
    throw overloaded(
      `the store is behind: ${committer.staged} envelopes wait for it (maxStagedEnvelopes)`,
    );
  }
  if (committer.stagedBytes < limits.maxStagedBytes) return;
  throw overloaded(
    `the store is behind: ${committer.stagedBytes} bytes wait for it (maxStagedBytes)`,
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
