import type { Waiting } from "@colloquy/protocol";
import { explain } from "./explain.js";
import { gatherFacts, type WaitingSources } from "./gather-facts.js";

/**
 * Says why nothing moves in a channel. An unknown channel is an answer, not an error.
 *
 * @param options - `reasons`: whether the sentence tells what agents, the store or a fault have said;
 *   default true
 */
export async function whyWaiting(
  sources: WaitingSources,
  channelId: string,
  { reasons = true }: { readonly reasons?: boolean | undefined } = {},
): Promise<Waiting> {
  return explain(await gatherFacts(sources, channelId), { reasons });
}
