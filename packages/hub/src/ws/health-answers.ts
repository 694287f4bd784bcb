import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers";
import type { HealthReport } from "../health/report.js";
import type { Hub } from "../hub.js";

/** The part of a hub that these answers are made from. */
export type CheckedHub = Pick<Hub, "checkHealth" | "health">;

/**
 * Answers `/health/live`, `/health/ready` and `/health`, which anybody may ask: with statuses and
 * figures, without reasons, names and ids.
 *
 * @returns false for another path, of which nothing was answered
 */
export function answerHealthPath(hub: CheckedHub, path: string, response: ServerResponse): boolean {
  if (path === "/health/live") answerLive(hub, response);
  else if (path === "/health/ready") void answerReport(hub, response, ({ ready }) => ready);
  else if (path === "/health") void answerReport(hub, response, (report) => !isBroken(report));
  else return false;
  return true;
}

/** The answer comes out of a later turn of the event loop, so that it proves that the loop turns. */
function answerLive(hub: CheckedHub, response: ServerResponse): void {
  const asked = performance.now();
  setImmediate(() => {
    const isAlive = hub.health().status !== "closed";
    const loop_delay_ms = Math.round(performance.now() - asked);
    const status = isAlive ? "alive" : "closed";
    answerJson(response, isAlive ? 200 : 503, { status, loop_delay_ms });
  });
}

async function answerReport(
  hub: CheckedHub,
  response: ServerResponse,
  isWell: (report: HealthReport) => boolean,
): Promise<void> {
  try {
    const report = await hub.checkHealth();
    answerJson(response, isWell(report) ? 200 : 503, shownReport(report));
  } catch {
    answerJson(response, 503, { status: "failing" });
  }
}

function isBroken({ status }: HealthReport): boolean {
  return status !== "ok" && status !== "degraded";
}

function shownReport({ status, ready, at, checks }: HealthReport): Record<string, unknown> {
  const { commit, store, disk, delivery, turns, channels } = checks;
  return {
    ...{ status, ready, at },
    checks: {
      commit: { status: commit.status, took_ms: commit.took_ms },
      store: { status: store.status },
      disk: { status: disk.status, free_bytes: disk.free_bytes },
      delivery: { status: delivery.status, lag_ms: delivery.lag_ms },
      turns: { status: turns.status, stuck: turns.stuck },
      channels: { status: channels.status, quarantined: channels.quarantined },
    },
  };
}

function answerJson(
  response: ServerResponse,
  code: number,
  body: Readonly<Record<string, unknown>>,
): void {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  response.writeHead(code, headers).end(`${JSON.stringify(body)}\n`);
}
