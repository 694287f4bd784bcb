import { type ObservedStat, type TrackRecord, trackRecordOf } from "@colloquy/protocol";
import { EMPTY_SKETCH, quantileOf } from "./latency-sketch.js";
import { readSketches } from "./observation-store.js";
import { type RegistryWork, requireAgent } from "./registry-context.js";

/**
 * What the hub has seen of an agent, by capability, beside what it claims: counts, share of success
 * and quantiles of the latency.
 *
 * @throws NotFoundError
 */
export async function readTrackRecord(
  work: RegistryWork,
  agentId: string,
): Promise<Readonly<Record<string, TrackRecord>>> {
  requireAgent(work, agentId);
  const sketches = await readSketches(work.context.store, agentId);
  const { resume } = requireAgent(work, agentId);
  return trackRecordOf(resume, (name) => quantileOf(sketches.get(name) ?? EMPTY_SKETCH, 0.95));
}

/**
 * How far a track record can be relied upon, from 0 to 1: the share of success with one success and
 * one failure added. Nothing seen is 0.5, and few tasks move it less than many of the same share.
 */
export function reliability({
  completed,
  failed,
  expired,
}: Pick<ObservedStat, "completed" | "failed" | "expired">): number {
  return (completed + 1) / (completed + failed + expired + 2);
}
