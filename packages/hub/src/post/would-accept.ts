import { type Acceptance, type EnvelopeDraft, isNetworkError } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { judgePost } from "./judge-post.js";
import { knownLeastDepth, readLeastDepth } from "./least-depth.js";
import { assertAccepting, readyChannel } from "./post-envelope.js";
import { readIncoming } from "./read-incoming.js";

/** Stands for an id that is never given out. */
const NO_ID = "f".repeat(32);

/** A post's fate when it passes. */
const ACCEPTED: Acceptance = { accepted: true };

/**
 * Says what would become of a post now, by the very steps of a post up to the staging. Nothing is
 * used, numbered, stored or told to listeners. What a post meets afterwards, such as a store that
 * fails, is not foreseen.
 *
 * In a channel that is in memory, with a cause that is too, it judges the instant of the call.
 *
 * @throws StoreError when what the answer depends on cannot be read
 */
export async function wouldAccept(context: CoreContext, draft: EnvelopeDraft): Promise<Acceptance> {
  try {
    await judgeDraft(context, draft);
    return ACCEPTED;
  } catch (error) {
    if (!isNetworkError(error) || error.code === "store_failed") throw error;
    const { code, message, details } = error;
    return { accepted: false, code, message, details: details === null ? null : { ...details } };
  }
}

async function judgeDraft(context: CoreContext, draft: EnvelopeDraft): Promise<void> {
  assertAccepting(context);
  const incoming = readIncoming(context, draft);
  const known = context.channels.peek(incoming.envelope.channel_id);
  let live = known?.warm === true ? known : await readyChannel(context, incoming.envelope);
  for (;;) {
    const depth = knownLeastDepth(context, live, incoming.envelope);
    incoming.leastDepth = depth ?? (await readLeastDepth(context, live, incoming.envelope));
    assertAccepting(context);
    if (context.channels.isCurrent(live)) break;
    live = await readyChannel(context, incoming.envelope);
  }
  judgePost(
    { ...context, traces: undefined, ids: { next: () => NO_ID, advancePast: () => undefined } },
    live,
    incoming,
  );
}
