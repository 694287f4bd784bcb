import { createScriptedAgent, type ScriptedAgent } from "@colloquy/client";
import type { AuctionState } from "./auction-adapter.js";

/** How far a bidder goes. */
export interface Purse {
  /** Highest bid. */
  readonly limit: number;
  /** How much more it offers than the price. */
  readonly step: number;
}

/** An agent that bids until its limit is reached, and passes then. */
export function createBidder(name: string, { limit, step }: Purse): ScriptedAgent {
  return createScriptedAgent(name, ({ context }) => {
    const { price } = context.state as AuctionState;
    return price + step <= limit ? String(price + step) : "pass";
  });
}
