import { isTerminalTaskState, type ObservedStat, type TaskState } from "@colloquy/protocol";
import type { CountedTasks } from "./counted-tasks.js";
import { type RegistryWork, stampNow } from "./registry-context.js";
import { currentResume, storeResume } from "./set-records.js";

/** The outcome of one task, for its owner's track record. */
export interface Observation {
  readonly owner_id: string;
  readonly capability: string;
  readonly outcome: TaskState;
  /** Milliseconds from start to end; null when unknown. */
  readonly latency_ms?: number | null | undefined;
  /** With it, the task counts once for its owner, however often it is reported. */
  readonly task_id?: string | null | undefined;
}

const UNSEEN: ObservedStat = { n: 0, completed: 0, failed: 0, expired: 0, p50_latency_ms: null };

/**
 * Counts an outcome in its owner's resume and makes the capability findable.
 *
 * Ignored for an owner that is not registered, for an outcome that is not final, and for a task
 * that has been counted. A cancelled task raises only `n`. `p50_latency_ms` is the latest latency
 * that was given, as AG2's clients expect it; a quantile would need the samples to be kept.
 */
export async function recordObservation(
  work: RegistryWork,
  counted: CountedTasks,
  { owner_id, capability, outcome, latency_ms, task_id }: Observation,
): Promise<void> {
  if (!isTerminalTaskState(outcome)) return;
  if (!work.context.agents.get(owner_id) || work.leaving.has(owner_id)) return;
  const key = task_id ? `${owner_id} ${task_id}` : null;
  if (key !== null && !counted.add(key)) return;

  const former = currentResume(work, owner_id);
  const at = stampNow(work.context);
  const version = former.version + 1;
  const seen = Object.hasOwn(former.observed, capability) ? former.observed[capability] : undefined;
  const stat = count(seen ?? UNSEEN, outcome, latency_ms ?? null);
  const observed = { ...former.observed, [capability]: stat };
  const resume = { ...former, observed, version, last_updated: at };
  try {
    await storeResume(work, owner_id, resume, () => {
      const payload = { resume: structuredClone(resume), version, capability, outcome, at };
      work.context.listeners.emit("onAgentEvent", owner_id, "observation_recorded", payload);
    });
  } catch (error) {
    if (key !== null) counted.remove(key);
    throw error;
  }
}

function count(stat: ObservedStat, outcome: TaskState, latencyMs: number | null): ObservedStat {
  const latency = latencyMs === null || !Number.isFinite(latencyMs) ? null : latencyMs;
  return {
    n: stat.n + 1,
    completed: stat.completed + Number(outcome === "completed"),
    failed: stat.failed + Number(outcome === "failed"),
    expired: stat.expired + Number(outcome === "expired"),
    p50_latency_ms: latency === null ? stat.p50_latency_ms : Math.max(0, Math.round(latency)),
  };
}
