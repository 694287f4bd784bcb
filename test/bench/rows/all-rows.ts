import { admission } from "./admission.js";
import { broadcast } from "./broadcast.js";
import { durableRound } from "./durable-round.js";
import { idleMemory } from "./idle-memory.js";
import { oneAtATime } from "./one-at-a-time.js";
import type { Row } from "./row.js";
import { slowReader } from "./slow-reader.js";
import { start } from "./start.js";
import { turnPreparation } from "./turn-preparation.js";

/** Every row, in the order of the design's table. */
export const ALL_ROWS: readonly Row[] = [
  durableRound,
  oneAtATime,
  admission,
  broadcast,
  turnPreparation,
  start,
  idleMemory,
  slowReader,
];
