import type { ChannelMetadata } from "@colloquy/protocol";

/** The scenes of a round in their order, one per channel type, and how each ends when all goes well. */
export const SCENE_ENDS = {
  consulting: "consulting_complete",
  conversation: "max_turns",
  discussion: "max_turns",
  workflow: "plan_agreed",
} as const;

/** A scene, named like its channel type. */
export type Scene = keyof typeof SCENE_ENDS;

/** Every scene in its order. */
export const SCENES = Object.keys(SCENE_ENDS) as readonly Scene[];

/** Label of a channel that says in which round it is. */
const ROUND_LABEL = "demo_round";

/** Which part of the demonstration a channel plays. */
export interface Part {
  readonly round: number;
  readonly scene: Scene;
}

/** The labels of a channel of the demonstration. */
export function labelsOf(round: number): Record<string, string> {
  return { [ROUND_LABEL]: String(round) };
}

/** The part that a channel plays; null for channels of others. */
export function partOf({
  labels,
  manifest,
}: Pick<ChannelMetadata, "labels" | "manifest">): Part | null {
  const round = Number(labels[ROUND_LABEL] ?? "");
  const scene = SCENES.find((one) => one === manifest.type);
  return Number.isSafeInteger(round) && round > 0 && scene !== undefined ? { round, scene } : null;
}

/** True for a channel that has ended as its scene should. */
export function endedWell(channel: ChannelMetadata): boolean {
  const part = partOf(channel);
  return (
    part !== null && channel.state === "closed" && channel.close_reason === SCENE_ENDS[part.scene]
  );
}

/** Channels of one round, in order of creation. */
export function channelsOfRound(
  channels: readonly ChannelMetadata[],
  round: number,
): ChannelMetadata[] {
  return channels.filter((channel) => partOf(channel)?.round === round);
}

/**
 * The round to play next: the newest one while a scene of it is missing, then the one after it.
 *
 * @param channels - all channels of the hub
 */
export function nextRound(channels: readonly ChannelMetadata[]): number {
  const newest = Math.max(0, ...channels.map((channel) => partOf(channel)?.round ?? 0));
  if (newest === 0) return 1;
  const played = channelsOfRound(channels, newest).filter(endedWell);
  const scenes = new Set(played.map((channel) => partOf(channel)?.scene));
  return scenes.size === SCENES.length ? newest + 1 : newest;
}
