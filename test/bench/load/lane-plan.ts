import type { Voice } from "./message.js";

/** Who is on one lane: made where the participants are registered, used where the load is. */
export interface LanePlan {
  /** Names of the participants on this connection: who speaks, and who hears it. */
  readonly names: readonly string[];
  /** Taken in turn. */
  readonly voices: readonly Voice[];
}
