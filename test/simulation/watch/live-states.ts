import { isDeepStrictEqual } from "node:util";
import { isNetworkError } from "@colloquy/protocol";
import type { TrueChannel } from "../world/truth.js";
import { require } from "../world/violation.js";
import type { World } from "../world/world.js";

/** The hub's state of a channel is what a fold of the disk gives at the same position. */
export async function checkStates(world: World, channels: readonly TrueChannel[]): Promise<void> {
  const { hub } = world.host;
  if (hub === null || world.host.state !== "running") return;
  for (const channel of channels) {
    const live = await ask(hub.adapterState(channel.id));
    if (live === null) continue;
    const expected = channel.states[live.position];
    require(live.position <= channel.envelopes.length, () =>
      `the hub is at ${live.position} of ${channel.id}, the disk at ${channel.envelopes.length}`);
    require(isDeepStrictEqual(live.state, expected), () =>
      `the state of ${channel.id} at ${live.position} is ${JSON.stringify(live.state)}, a fold gives ${JSON.stringify(expected)}`);
  }
}

/** A hub in trouble, or one that has been killed meanwhile, need not answer. */
async function ask<T>(question: Promise<T>): Promise<T | null> {
  const never = new Promise<null>((resolve) => {
    let turns = 0;
    const wait = (): void => {
      turns += 1;
      if (turns > 20) resolve(null);
      else setImmediate(wait);
    };
    wait();
  });
  try {
    return await Promise.race([question, never]);
  } catch (error) {
    if (isNetworkError(error) && ["store_failed", "unavailable"].includes(error.code)) return null;
    throw error;
  }
}
