/**
 * A hub is killed with SIGKILL in the middle of a discussion, under load. It is started again on the
 * same file; agents in other processes reconnect by themselves. Afterwards nothing that was
 * acknowledged is missing, nothing stands in the log twice, and the discussion has gone on with the
 * right speaker.
 *
 * Options: `--runs <n>` (default 1), `--turns <n>` of each discussion (default 40), `--json`.
 */
import { parseArgs } from "node:util";
import { startAgentProcess, startHubProcess } from "./processes.js";
import { NAMES, runOnce, type Troupe } from "./run-once.js";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1" },
    turns: { type: "string", default: "40" },
    json: { type: "boolean", default: false },
  },
});
const runs = Number(values.runs);
const turns = Number(values.turns);

const troupe: Troupe = { agents: NAMES.map(startAgentProcess), hub: startHubProcess() };
try {
  for (let run = 1; run <= runs; run += 1) {
    const killAtTurn = 5 + Math.floor(Math.random() * (turns - 10));
    const plan = { turns, killAtTurn, killAfterMs: Math.floor(Math.random() * 6) };
    if (!values.json)
      console.log(`Run ${run}: the hub will die in turn ${killAtTurn} of ${turns}.`);
    const result = await runOnce(troupe, plan);
    if (values.json) {
      console.log(JSON.stringify({ run, ...result }));
      continue;
    }
    const { envelopes, acknowledged, delivered, reconnects, tookMs } = result;
    console.log(
      `  ${turns} turns, ${envelopes} envelopes in the log, each once and in order; ${acknowledged} acknowledged notes and ${delivered} deliveries are all there; ${reconnects} reconnects; ${(tookMs / 1000).toFixed(1)} s`,
    );
  }
} finally {
  for (const agent of troupe.agents) agent.end();
  await troupe.hub.kill();
}
