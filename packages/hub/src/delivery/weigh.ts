import { membershipEventOf, type StoredEnvelope } from "@colloquy/protocol";
import { addressChangeOf } from "./address-change.js";
import { isAddressed } from "./addressed.js";
import type { Board } from "./board.js";
import { judgeDispatch } from "./dispatch-gate.js";
import { readBody } from "./read-body.js";
import type { Unsettled } from "./unsettled.js";

/** Judges a page of stored envelopes for these members, while their content is at hand. */
export function weighPage(
  board: Board,
  members: Iterable<string>,
  page: readonly StoredEnvelope[],
): Unsettled[] {
  const ids = [...members];
  return page.map((stored) => weigh(board, ids, stored));
}

function weigh(board: Board, members: readonly string[], stored: StoredEnvelope): Unsettled {
  const envelope = readBody(stored);
  const recipients: string[] = [];
  const refused: string[] = [];
  for (const agentId of envelope === null ? [] : members) {
    const recipient = board.context.agents.get(agentId);
    if (envelope === null || recipient === undefined || !isAddressed(envelope, agentId)) continue;
    (judgeDispatch(board, envelope, recipient) === null ? recipients : refused).push(agentId);
  }
  return {
    position: stored.position,
    change: envelope === null ? null : addressChangeOf(membershipEventOf(envelope)),
    envelope: envelope === null ? null : { ...envelope, event_data: {} },
    recipients,
    refused,
  };
}
