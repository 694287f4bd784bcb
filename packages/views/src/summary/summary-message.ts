import type { Message, WalSlice } from "@colloquy/protocol";
import { speakerName } from "../names/speaker-name.js";

/**
 * The message that stands for what a view leaves out; none when that is nothing.
 *
 * Its text is `Earlier in this channel: 3 messages from A, B.`, speakers once each and in order of
 * their UTF-16 code units.
 *
 * @param leftOut - how many envelopes, and the ids of their senders
 * @param nameFor - a sender's name, or `identityName` to show ids; shown as `speakerName` has it
 */
export function summaryMessage(
  leftOut: WalSlice["left_out"],
  nameFor: (agentId: string) => string,
): Message[] {
  const { count } = leftOut;
  if (count === 0) return [];
  const speakers = [...new Set(leftOut.senders.map((id) => speakerName(nameFor(id), id)))].sort();
  const from = speakers.length === 0 ? "" : ` from ${speakers.join(", ")}`;
  const noun = count === 1 ? "message" : "messages";
  return [
    {
      role: "compaction_summary",
      content: `Earlier in this channel: ${count} ${noun}${from}.`,
      event_count: count,
    },
  ];
}
