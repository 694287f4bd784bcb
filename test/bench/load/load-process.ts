import { serveCommands } from "../processes/serve-commands.js";
import { usageCommands } from "../processes/usage.js";
import { createCircleCommands } from "./circle.js";
import { floodCommands } from "./flood.js";
import { idleCommands } from "./idle.js";
import { createLaneCommands } from "./lane-groups.js";

const commands = {
  ...usageCommands,
  ...createLaneCommands(),
  ...createCircleCommands(),
  ...idleCommands,
  ...floodCommands,
};

/** What the load process can be asked to do. */
export type LoadCommands = typeof commands;

serveCommands(commands);
