import type { Finding } from "../finding.js";
import { isFor, type Log, type LoggedEnvelope, takesTurn } from "../log/log.js";
import { entriesOf, type JournalEntry } from "./journal.js";

/** A turn was set off by what its agent got, before it, and has at most one answer. */
export function* checkTaken(log: Log, journal: readonly JournalEntry[]): Generator<Finding, void> {
  const answers = new Map<string, string>();
  for (const turn of entriesOf(journal, "turn")) {
    const { where, agent_id, channel_id, trigger_id, envelope_id } = turn;
    const fault = (message: string): Finding => ({ kind: "taken", where, message });
    const trigger = log.byId.get(trigger_id);
    if (trigger?.channelId !== channel_id || !setsOff(log, trigger, agent_id)) {
      yield fault(`${agent_id} took a turn for ${trigger_id}, which it does not get there`);
      continue;
    }
    if (envelope_id === null) continue;
    const answer = log.byId.get(envelope_id);
    const isAnswer =
      answer?.channelId === channel_id &&
      answer.senderId === agent_id &&
      answer.causationId === trigger_id &&
      answer.position > trigger.position;
    if (!isAnswer) yield fault(`${envelope_id} is no answer of ${agent_id} to ${trigger_id}`);
    const name = JSON.stringify([agent_id, trigger_id]);
    const first = answers.get(name) ?? envelope_id;
    answers.set(name, first);
    if (first !== envelope_id) {
      yield fault(`${agent_id} answered ${trigger_id} with ${first} and with ${envelope_id}`);
    }
  }
}

/** What an agent gets sets off its turns; in a workflow also what it said itself, if it keeps the turn. */
function setsOff(log: Log, trigger: LoggedEnvelope, agentId: string): boolean {
  if (isFor(trigger, agentId)) return true;
  const isWorkflow = log.channels.get(trigger.channelId)?.type === "workflow";
  return isWorkflow && trigger.senderId === agentId && takesTurn(trigger);
}
