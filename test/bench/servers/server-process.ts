import { serveCommands } from "../processes/serve-commands.js";
import { usageCommands } from "../processes/usage.js";
import { listenBroadcast } from "./bare-broadcast.js";
import { listenCommitEcho } from "./commit-echo.js";
import { listenEcho } from "./echo.js";
import { createHubCommands } from "./hub-commands.js";
import { createMemoryWatch } from "./memory-watch.js";

const commands = {
  ...usageCommands,
  ...createMemoryWatch(),
  ...createHubCommands(),
  listenEcho,
  listenCommitEcho,
  listenBroadcast,
};

/** What the server process can be asked to do: it holds the hub and what the hub is compared with. */
export type ServerCommands = typeof commands;

serveCommands(commands);
