import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { makeTempFolder } from "@colloquy/testkit";
import { checkLog, type LogFigures } from "./check-log.js";
import { type AgentProcess, type HubProcess, startHubProcess } from "./processes.js";

/** Names of the agents, in the order in which they speak. */
export const NAMES = ["Ada", "Bruno", "Chiara"] as const;

/** Processes that one run hands on to the next. */
export interface Troupe {
  readonly agents: readonly AgentProcess[];
  /** A process that is no hub yet. */
  hub: HubProcess;
}

/** How a run is to go. */
export interface RunPlan {
  /** Turns of the discussion. */
  readonly turns: number;
  /** The turn in which the hub is killed, counted from 1. */
  readonly killAtTurn: number;
  /** Milliseconds between that turn's beginning and the kill. */
  readonly killAfterMs: number;
}

/** What came of a run. */
export interface RunResult extends RunPlan, LogFigures {
  readonly reconnects: number;
  readonly tookMs: number;
}

/**
 * Kills the hub in the middle of a discussion and under load, starts it again on the same file, lets
 * the discussion end, and checks the log. Throws when anything is not as it should be.
 */
export async function runOnce(troupe: Troupe, plan: RunPlan): Promise<RunResult> {
  const startedAt = performance.now();
  const { agents, hub } = troupe;
  const successor = startHubProcess();
  troupe.hub = successor;
  using folder = makeTempFolder();
  const data = folder.at("hub.db");
  const port = await findFreePort();
  const url = await hub.open(data, port);
  await tellAll(agents, "joined", (_agent, at) => ({ kind: "join", url, name: NAMES[at] ?? "" }));
  const [chair] = agents;
  assert.ok(chair !== undefined);
  const ended = chair.hear("ended");
  const fatal = turnBegins(agents, plan.killAtTurn);
  await tellAll(agents, "load_open", () => ({ kind: "begin", names: NAMES, turns: plan.turns }));
  await fatal;
  await wait(plan.killAfterMs);
  await hub.kill();
  await successor.open(data, port);
  const { channel_id: discussion } = await ended;
  const news = await tellAll(agents, "report", () => ({ kind: "finish" }));
  const reports = news.map(({ report }) => report);
  await successor.drain();
  assert.ok(
    reports.every(({ reconnects }) => reconnects >= 1),
    "everybody came back by itself",
  );
  const figures = await checkLog({ data, discussion, turns: plan.turns, reports });
  const reconnects = reports.reduce((sum, report) => sum + report.reconnects, 0);
  return { ...plan, ...figures, reconnects, tookMs: performance.now() - startedAt };
}

/** Gives everybody an order, and waits for everybody's news. */
async function tellAll<K extends Parameters<AgentProcess["hear"]>[0]>(
  agents: readonly AgentProcess[],
  kind: K,
  orderFor: (agent: AgentProcess, at: number) => Parameters<AgentProcess["tell"]>[0],
) {
  const news = agents.map((agent) => agent.hear(kind));
  for (const [at, agent] of agents.entries()) agent.tell(orderFor(agent, at));
  return await Promise.all(news);
}

async function turnBegins(agents: readonly AgentProcess[], number: number): Promise<void> {
  await Promise.any(agents.map((agent) => agent.hear("turn", (news) => news.number >= number)));
}

/** The hub comes back on the port that it had, so the port must be known before. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
