import type { OperationName } from "@colloquy/protocol";
import { accessOperations } from "./access-operations.js";
import { channelOperations } from "./channel-operations.js";
import { deliveryOperations } from "./delivery-operations.js";
import { inboxOperations } from "./inbox-operations.js";
import type { Operations } from "./operation.js";
import { participantOperations } from "./participant-operations.js";
import { registryOperations } from "./registry-operations.js";
import { taskOperations } from "./task-operations.js";
import { turnOperations } from "./turn-operations.js";
import { walOperations } from "./wal-operations.js";

/** Every operation with its handler; the compiler sees to it that none is missing. */
export const operationTable = {
  ...registryOperations,
  ...channelOperations,
  ...participantOperations,
  ...walOperations,
  ...taskOperations,
  ...turnOperations,
  ...accessOperations,
  ...deliveryOperations,
  ...inboxOperations,
} satisfies Operations<OperationName>;
