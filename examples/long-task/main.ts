/**
 * A worker reports the progress of a long task and keeps checkpoints; the one who gave the work stops
 * it half-way, and later has it resumed where it stopped.
 */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { createDefaultAdapters } from "@colloquy/adapters";
import { createHubClient, createScriptedAgent, type Task, type Turn } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { EV_TEXT, type TaskMetadata } from "@colloquy/protocol";
import { openStore } from "../stage/store.js";

const PAGES = 40;
const STOP_AT = 10;

const hub = await openHub({ store: await openStore(), adapters: createDefaultAdapters() });
const server = await serveWebSocket(hub);
const worker = createHubClient({ link: createNodeLink(server.url) });
const office = createHubClient({ link: createNodeLink(server.url) });

/** Reads on from the last checkpoint until the end, or until somebody cancels. */
async function read(task: Task): Promise<string> {
  let page = Number(task.resumedState?.["page"] ?? 0);
  while (page < PAGES && !task.signal.aborted) {
    page += 1;
    task.progress({ page });
    await task.checkpoint({ page });
    // The first reading waits at this page to be stopped.
    while (page === STOP_AT && task.resumedState === null && !task.signal.aborted) {
      await setImmediate();
    }
  }
  if (task.signal.aborted) return `Stopped at page ${page}: ${task.metadata.error}`;
  task.complete({ pages: page });
  return `Read all ${page} pages`;
}

/** "read" starts afresh, "resume <task id>" goes on. */
const answer = ({ input, context }: Turn): Promise<string> => {
  const earlier = /resume (\S+)/.exec(String(input))?.[1];
  const spec = { title: "Read the report", capability: "reading" };
  return context.task(spec, { ttl: "10m", resumeFrom: earlier }, read);
};
const wanda = await worker.register(createScriptedAgent("Wanda", answer));
const otto = await office.register(createScriptedAgent("Otto"));

const channel = await otto.open({ type: "consulting", target: "Wanda" });
await channel.send("read");
const [found] = await until(
  () => office.listTasks({ channel_id: channel.channelId }),
  (tasks) => tasks.length === 1 && tasks[0]?.progress["page"] === STOP_AT,
);
assert.ok(found);
await otto.cancelTask(found.task_id, "lunch");
const stopped = await otto.waitForChannelEvent(channel.channelId, isAnswer);
console.log(stopped.event_data["text"]);
assert.equal(stopped.event_data["text"], `Stopped at page ${STOP_AT}: lunch`);
const cancelled = await hub.getTask(found.task_id);
assert.deepEqual([cancelled.state, cancelled.error], ["cancelled", "lunch"]);

const rest = await otto.consult("Wanda", `resume ${found.task_id}`);
console.log(rest);
assert.equal(rest, `Read all ${PAGES} pages`);
const [done] = await hub.listTasks({ agent_id: wanda.agentId, state: "completed" });
assert.deepEqual(done?.result, { pages: PAGES });

// The hub knows what Wanda has shown; the cancelled task speaks neither for nor against her.
const { reading } = await office.getTrackRecord(wanda.agentId);
console.log(`Wanda: ${reading?.completed} completed, ${reading?.cancelled} cancelled`);
assert.deepEqual([reading?.n, reading?.success_rate], [2, 1]);
const [best] = await office.listAgents({ capability: "reading", sort_by: "track_record" });
assert.equal(best?.name, "Wanda");

await worker.drain();
await office.drain();
await hub.drain();

function isAnswer({ event_type, sender_id }: { event_type: string; sender_id: string }): boolean {
  return event_type === EV_TEXT && sender_id === wanda.agentId;
}

async function until(
  look: () => Promise<readonly TaskMetadata[]>,
  isThere: (tasks: readonly TaskMetadata[]) => boolean,
): Promise<readonly TaskMetadata[]> {
  for (;;) {
    const tasks = await look();
    if (isThere(tasks)) return tasks;
    await setImmediate();
  }
}
