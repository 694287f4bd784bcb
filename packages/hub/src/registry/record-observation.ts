import { isTerminalTaskState, type ObservedStat, type TaskState } from "@colloquy/protocol";
import { requireSize } from "../core/json-copy.js";
import { addLatency, quantileOf } from "./latency-sketch.js";
import { countTask, readSketch, writeSketch } from "./observation-store.js";
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
 * that is among the newest that have been counted, also by an earlier process. A cancelled task
 * raises only `n`. `p50_latency_ms` is the median of all latencies that were given, within 2 %.
 *
 * @throws TooLargeError when a further capability would make the resume outgrow its limit
 */
export async function recordObservation(
  work: RegistryWork,
  observation: Observation,
): Promise<void> {
  const { owner_id, outcome } = observation;
  if (!isTerminalTaskState(outcome)) return;
  if (!work.context.agents.get(owner_id) || work.leaving.has(owner_id)) return;
  // Each builds upon what the one before has written.
  await work.observing(owner_id, async () => {
    if (!work.context.agents.get(owner_id) || work.leaving.has(owner_id)) return;
    await record(work, observation);
  });
}

async function record(
  work: RegistryWork,
  { owner_id, capability, outcome, latency_ms, task_id }: Observation,
): Promise<void> {
  const { store, limits, listeners } = work.context;
  const counted = task_id
    ? await countTask(store, owner_id, task_id, limits.countedTasksPerAgent)
    : [];
  if (counted === null) return;
  const isTimed = typeof latency_ms === "number" && Number.isFinite(latency_ms);
  const former = isTimed ? await readSketch(store, owner_id, capability) : null;
  const sketch = isTimed && former !== null ? addLatency(former, latency_ms) : null;
  const beside =
    sketch === null ? counted : [...counted, writeSketch(owner_id, capability, sketch)];
  // What was read above may have taken a while; from here to the staging there is no wait.
  if (!work.context.agents.get(owner_id) || work.leaving.has(owner_id)) return;

  const said = currentResume(work, owner_id);
  const at = stampNow(work.context);
  const version = said.version + 1;
  const seen = Object.hasOwn(said.observed, capability) ? said.observed[capability] : undefined;
  const p50 = sketch === null ? null : quantileOf(sketch, 0.5);
  const stat = count(seen ?? UNSEEN, outcome, p50);
  const observed = { ...said.observed, [capability]: stat };
  const resume = { ...said, observed, version, last_updated: at };
  if (seen === undefined) {
    const what = `the resume of ${owner_id} with a further capability`;
    requireSize(JSON.stringify(resume), limits.maxResumeBytes, what);
  }
  const audited = { source: "observed", version, capability, outcome };
  await storeResume(work, owner_id, { resume, beside, audited }, () => {
    const payload = { resume: structuredClone(resume), version, capability, outcome, at };
    listeners.emit("onAgentEvent", owner_id, "observation_recorded", payload);
  });
}

function count(stat: ObservedStat, outcome: TaskState, p50: number | null): ObservedStat {
  return {
    n: stat.n + 1,
    completed: stat.completed + Number(outcome === "completed"),
    failed: stat.failed + Number(outcome === "failed"),
    expired: stat.expired + Number(outcome === "expired"),
    p50_latency_ms: p50 ?? stat.p50_latency_ms,
  };
}
