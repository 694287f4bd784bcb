import { openHubSocket } from "./open-hub-socket.js";

/** Commands for connections that do nothing. */
export const idleCommands = {
  /** Connects each participant and leaves it at that; the connections stay open. */
  async openIdle({
    url,
    names,
  }: {
    readonly url: string;
    readonly names: readonly string[];
  }): Promise<void> {
    for (const name of names) await openHubSocket(url, [name]);
  },
};
