import type { Tool } from "@colloquy/protocol";
import { createChannelsTool } from "./channels-tool.js";
import { createContextTool } from "./context-tool.js";
import { createDelegateTool } from "./delegate-tool.js";
import type { NetworkPort } from "./network-port.js";
import { createPeersTool } from "./peers-tool.js";
import { createTasksTool } from "./tasks-tool.js";

/**
 * The tools by which an agent finds, asks and watches others: `delegate`, `peers`, `channels`,
 * `tasks` and `context`, in this order.
 *
 * What goes wrong comes back as a sentence that starts with `Error: `; no tool throws.
 */
export function createNetworkTools(port: NetworkPort): readonly Tool[] {
  return [
    createDelegateTool(port),
    createPeersTool(port),
    createChannelsTool(port),
    createTasksTool(port),
    createContextTool(port),
  ];
}
