import {
  type Envelope,
  type EnvelopeDraft,
  NotFoundError,
  UnavailableError,
} from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { quote } from "../core/quote.js";
import type { Posted } from "../hub.js";
import type { LiveChannel } from "../live/live-channel.js";
import type { RefusalFacts } from "../observe/refusal.js";
import { envelopeFacts } from "../observe/refused-facts.js";
import { admit, type PostAnswer } from "./admit.js";
import { knownLeastDepth, readLeastDepth } from "./least-depth.js";
import { type Incoming, readIncoming } from "./read-incoming.js";

/**
 * Posts an envelope; resolves once it is durable.
 *
 * In a channel that is in memory everything up to the staging happens before this returns, if the
 * envelope's cause is in memory too. Otherwise what is missing is read first, and then the decision
 * is made on what the channel is by then; what is posted to it meanwhile keeps its place behind.
 */
export function postEnvelope(context: CoreContext, draft: EnvelopeDraft): Promise<Posted> {
  return new Promise((resolve, reject) => {
    let incoming: Incoming | null = null;
    const answer: PostAnswer = {
      resolve,
      reject: (error) => {
        if (incoming !== null) {
          context.traces?.end(incoming.envelope, error);
          tellRejected(context, incoming.envelope, error);
        }
        reject(context.refusals.refuse(error, refusedFacts(incoming?.envelope, draft)));
      },
    };
    try {
      assertAccepting(context);
      incoming = readIncoming(context, draft);
      const live = context.channels.peek(incoming.envelope.channel_id);
      if (live?.warm === true) admitInTurn(context, live, incoming, answer);
      else void admitLater(context, incoming, answer);
    } catch (error) {
      answer.reject(toError(error));
    }
  });
}

/** Nobody sees an id that was given to something that came to nothing. */
function tellRejected({ listeners }: CoreContext, envelope: Envelope, error: Error): void {
  listeners.emit("onEnvelopeRejected", { ...envelope, envelope_id: "", created_at: "" }, error);
}

/** The hub stamps no id on what it refuses, so the id is the one that came in. */
function refusedFacts(envelope: Envelope | undefined, draft: EnvelopeDraft): RefusalFacts {
  const facts = envelopeFacts(envelope ?? draft);
  const { envelope_id } = envelopeFacts(draft);
  const { envelope_id: _stamped, ...others } = facts;
  return envelope_id === undefined ? others : { ...others, envelope_id };
}

async function admitLater(
  context: CoreContext,
  incoming: Incoming,
  answer: PostAnswer,
): Promise<void> {
  try {
    for (;;) {
      const live = await readyChannel(context, incoming.envelope);
      assertAccepting(context);
      if (context.channels.isCurrent(live)) return admitInTurn(context, live, incoming, answer);
    }
  } catch (error) {
    answer.reject(toError(error));
  }
}

/** Admits at once, unless something must be read first or others wait for that in the same channel. */
function admitInTurn(
  context: CoreContext,
  live: LiveChannel,
  incoming: Incoming,
  answer: PostAnswer,
): void {
  if (live.waiting === null) {
    const depth = knownLeastDepth(context, live, incoming.envelope);
    if (depth !== null) {
      incoming.leastDepth = depth;
      admit(context, live, incoming, answer);
      return;
    }
  }
  const before = live.waiting ?? Promise.resolve();
  const turn = before.then(() => admitWithCause(context, live, incoming, answer));
  live.waiting = turn;
  void turn.then(() => {
    if (live.waiting === turn) live.waiting = null;
  });
}

async function admitWithCause(
  context: CoreContext,
  live: LiveChannel,
  incoming: Incoming,
  answer: PostAnswer,
): Promise<void> {
  try {
    incoming.leastDepth = await readLeastDepth(context, live, incoming.envelope);
    assertAccepting(context);
    if (context.channels.isCurrent(live)) admit(context, live, incoming, answer);
    else await admitLater(context, incoming, answer);
  } catch (error) {
    answer.reject(toError(error));
  }
}

/** The channel of an envelope, ready to be posted to; throws `NotFoundError`, or `StoreError` when it cannot be read. */
export async function readyChannel({ channels }: CoreContext, envelope: Envelope) {
  try {
    return await channels.ready(envelope.channel_id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(`channel not found: ${quote(envelope.channel_id)}`, { cause: error });
  }
}

/** Throws `UnavailableError` once the hub drains. */
export function assertAccepting({ accepting }: CoreContext): void {
  if (!accepting) throw new UnavailableError("the hub is shutting down; retry later");
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
