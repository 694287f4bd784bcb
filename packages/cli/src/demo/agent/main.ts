/** One member of the cast: a program that knows nothing of the others but their names. */
import { parseArgs } from "node:util";
import { type AgentClient, createHubClient } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { createSystemClock } from "@colloquy/protocol";
import { CAST, isCastName } from "../cast.js";
import { type News, orderSchema } from "../messages.js";
import { playRound } from "./play-round.js";
import { takeTurn } from "./take-turn.js";

// Ctrl-C reaches every process of a terminal; this one is ended by the demonstration.
process.on("SIGINT", () => undefined);

const { values } = parseArgs({
  options: { url: { type: "string" }, name: { type: "string" }, pace: { type: "string" } },
});
const { url = "", name = "", pace = "0" } = values;
if (!isCastName(name)) throw new Error(`nobody in the cast is called ${JSON.stringify(name)}`);

const clock = createSystemClock();
const wait = (delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    clock.setTimer(delayMs, resolve);
  });
const tell = (news: News): void => void process.send?.(news);

const hub = createHubClient({ link: createNodeLink(url), clock });
const member = {
  name,
  async ask(turn: Parameters<typeof takeTurn>[1]) {
    await wait(Number(pace));
    return takeTurn(name, turn);
  },
};
const client: AgentClient = await hub.attach(member, name, {
  passport: {},
  resume: { summary: CAST[name] },
});

let isEnding = false;
const end = async (): Promise<void> => {
  isEnding = true;
  await hub.drain();
  process.exit(0);
};
const play = async (round: number): Promise<void> => {
  try {
    await playRound(client, round);
    tell({ kind: "played", round });
  } catch (error) {
    if (!isEnding) throw error;
  }
};

process.on("message", (message) => {
  const order = orderSchema.parse(message);
  void (order.kind === "play" ? play(order.round) : end());
});
// The demonstration is gone, so the hub is.
process.on("disconnect", () => process.exit(0));
void client.stopped.then(({ reason }) => {
  if (isEnding) return;
  console.error(`takes part no longer: ${reason}`);
  process.exit(1);
});
tell({ kind: "attached" });
