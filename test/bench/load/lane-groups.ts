import { openEchoLane } from "./echo-lane.js";
import { openHubLane } from "./hub-lane.js";
import type { Lane } from "./lane.js";
import type { LanePlan } from "./lane-plan.js";
import { type RunOptions, type RunResult, runLanes } from "./run-lanes.js";

/** Lanes that are opened together and driven together. */
export interface LaneGroup {
  /** Chosen by the caller, so that each side of a comparison keeps its connections between rounds. */
  readonly group: string;
  readonly url: string;
  readonly plans: readonly LanePlan[];
}

/** Commands that open lanes and send messages over them. */
export type LaneCommands = {
  openEchoLanes(group: LaneGroup): Promise<void>;
  openHubLanes(group: LaneGroup): Promise<void>;
  /** Sends messages over a group; see `runLanes`. */
  runLanes(options: RunOptions & { readonly group: string }): Promise<RunResult>;
};

/** Makes the commands of one load process. */
export function createLaneCommands(): LaneCommands {
  const groups = new Map<string, Lane[]>();
  const open = async (
    { group, url, plans }: LaneGroup,
    openLane: (url: string, plan: LanePlan) => Promise<Lane>,
  ): Promise<void> => {
    const lanes: Lane[] = [];
    for (const plan of plans) lanes.push(await openLane(url, plan));
    groups.set(group, lanes);
  };
  return {
    openEchoLanes: (group) => open(group, openEchoLane),
    openHubLanes: (group) => open(group, openHubLane),
    runLanes({ group, ...options }) {
      const lanes = groups.get(group);
      if (lanes === undefined) throw new Error(`there is no group "${group}"`);
      return runLanes(lanes, options);
    },
  };
}
