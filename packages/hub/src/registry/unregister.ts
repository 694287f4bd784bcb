import type { RecordKind } from "@colloquy/protocol";
import { auditedWork } from "../observe/audit-log.js";
import { usageRemoval } from "../policy/allowances.js";
import { handleRecord } from "./handle-record.js";
import { forgetObservations } from "./observation-store.js";
import { type RegistryWork, requireAgent, stampNow } from "./registry-context.js";
import { stageRecords } from "./stage-records.js";

/** What an agent leaves behind. */
export interface Left {
  /** The connection that it was bound to; null for none. */
  readonly endpointId: string | null;
}

const KINDS: readonly RecordKind[] = ["agent", "resume", "rule", "skill"];

/**
 * Takes an agent out of the registry: its four records, track record, name, capabilities, deliveries
 * and what it has used of its rate. Channels and tasks stay as they are. The name is free again once
 * that is durable.
 *
 * @returns the connection that spoke for it
 */
export async function unregister(work: RegistryWork, agentId: string): Promise<Left> {
  const { passport } = requireAgent(work, agentId);
  const { name } = passport;
  work.leaving.add(agentId);
  try {
    return await work.observing(agentId, () => remove(work, agentId, name));
  } finally {
    work.leaving.delete(agentId);
  }
}

async function remove(work: RegistryWork, agentId: string, name: string): Promise<Left> {
  const records = [
    ...KINDS.map((kind) => ({ kind, id: agentId, value: null })),
    ...(work.context.agents.hasOwnHandle(agentId) ? [handleRecord(agentId, null)] : []),
    ...(await forgetObservations(work.context.store, agentId)),
    usageRemoval(agentId),
  ];
  let left: Left = { endpointId: null };
  await stageRecords(work.context.committer, records, {
    audited: auditedWork(work.context.audit, {
      kind: "agent_unregistered",
      agent_id: agentId,
      name,
    }),
    onCommitted() {
      work.context.agents.remove(agentId);
      left = { endpointId: work.context.delivery.connectionOf(agentId)?.endpointId ?? null };
      work.context.delivery.drop(agentId);
      work.context.allowances.drop(agentId);
      const payload = { name, at: stampNow(work.context) };
      work.context.listeners.emit("onAgentEvent", agentId, "unregistered", payload);
    },
    onUndone: () => undefined,
  });
  return left;
}
