import type { World } from "../world/world.js";

/** Something that happens in a world by chance. */
export interface Action {
  readonly name: string;
  /** How often it happens, compared with the others. */
  readonly weight: number;
  /** Families are made rarer or more frequent together, per seed. */
  readonly family: "talk" | "network" | "process" | "disk";
  /** False when it makes no sense now. */
  run(world: World): boolean;
}
