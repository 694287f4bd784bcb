import { settle } from "@colloquy/testkit";
import { readAgents } from "../../packages/cli/src/data/agent-directory.js";
import { exportLines } from "../../packages/cli/src/export/export-log.js";
import { takeCut } from "../../packages/cli/src/export/take-cut.js";
import { check } from "../checker/check.js";
import type { Action } from "./actions/action.js";
import { play } from "./actions/play.js";
import { acknowledge, speak, speakerOf, TALK } from "./actions/talk.js";
import { TROUBLE } from "./actions/trouble.js";
import type { Dice } from "./dice.js";
import { type Arrivals, createArrivals } from "./watch/arrivals.js";
import { createCursors } from "./watch/cursors.js";
import { checkStates } from "./watch/live-states.js";
import { unrest } from "./watch/rest.js";
import type { Sabotage } from "./world/hub-host.js";
import { agentOf } from "./world/member.js";
import { require, Violation } from "./world/violation.js";
import { createWorld, type World } from "./world/world.js";

/** Milliseconds of the world's time in which it has to come to rest once nothing fails any more. */
const REST_WITHIN_MS = 900_000;
const REST_STEP_MS = 5_000;
/** Milliseconds that may pass after one thing has happened; most of the time not many. */
const PAUSES_MS = [60, 60, 60, 60, 60, 60, 2_000, 2_000, 2_000, 20_000];
/** Lines of the chronicle that a failure shows. */
const SHOWN = 60;

/** What a run was like. */
export interface Run {
  readonly seed: number;
  /** Two runs with the same digest are the same in everything that happened. */
  readonly digest: string;
  readonly channels: number;
  readonly envelopes: number;
  readonly deliveries: number;
  readonly repeats: number;
  readonly hubLives: number;
  readonly deadLetters: number;
}

/** A run in which a promise was broken. The message has the seed and what happened last. */
class SimulationFailure extends Error {
  override readonly name = "SimulationFailure";

  constructor(world: World, step: string, cause: unknown) {
    const what = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    const last = world.chronicle.last(SHOWN).join("\n");
    super(`seed ${world.seed}, ${step}: ${what}\n\nwhat happened last:\n${last}`, { cause });
  }
}

/** Options of {@link simulate}. */
export interface SimulationOptions {
  /** Things that happen by chance before the end. */
  readonly steps: number;
  /** Hears everything that happens at once. */
  readonly onLine?: ((line: string) => void) | undefined;
  readonly sabotage?: Sabotage | undefined;
}

/**
 * Runs a hub, its clients, a disk and a network under one seed: chance decides who says what and what
 * breaks; after every step all promises are checked. Then nothing breaks any more, and the world has
 * to come to rest with every turn taken and everything delivered.
 *
 * @throws SimulationFailure
 */
export async function simulate(
  seed: number,
  { steps, onLine, sabotage }: SimulationOptions,
): Promise<Run> {
  const world = createWorld(seed, { play, onLine, sabotage });
  const arrivals = createArrivals();
  const watch = createWatch(world, arrivals);
  let step = "start";
  try {
    await begin(world);
    await watch();
    const choose = createChooser(world.dice);
    for (let at = 1; at <= steps; at += 1) {
      step = `step ${at}`;
      await live(world, choose(world));
      await watch();
    }
    step = "rest";
    await comeToRest(world, arrivals, watch);
    step = "end";
    await checkExport(world);
  } catch (error) {
    throw new SimulationFailure(world, step, error);
  } finally {
    for (const client of world.clients) client.kill();
    world.host.kill();
    await settle();
  }
  return {
    seed,
    digest: world.chronicle.digest(),
    channels: world.truth.channels.size,
    envelopes: world.truth.rows,
    deliveries: arrivals.firsts,
    repeats: arrivals.repeats,
    hubLives: world.host.life,
    deadLetters: world.deadLetters.length,
  };
}

/** Everybody joins before anything goes wrong. */
async function begin(world: World): Promise<void> {
  world.host.start();
  await settle();
  for (const client of world.clients) client.start();
  for (let wait = 0; wait < 100; wait += 1) {
    if (world.members.every(({ client }) => client !== null)) return;
    await world.clock.advanceAsync(10);
  }
  throw new Violation("not everybody could join a hub in good order");
}

/** One thing happens, and some time passes. */
async function live(world: World, action: Action): Promise<void> {
  const { dice, clock, host, clients } = world;
  if (!action.run(world)) world.chronicle.note("nothing comes of", { action: action.name });
  await settle(dice.int(3));
  await clock.advanceAsync(dice.int(dice.pick(PAUSES_MS) ?? 0));
  if (host.state === "down" && dice.chance(0.4)) host.start();
  for (const client of clients) if (!client.isUp && dice.chance(0.3)) client.start();
}

/** Chooses by weight; each seed has its own taste for every family and action. */
function createChooser(dice: Dice): (world: World) => Action {
  const families = { talk: 1, network: 1, process: 1, disk: 1 };
  for (const family of ["network", "process", "disk"] as const) {
    families[family] = dice.pick([0, 0.2, 0.5, 1]) ?? 1;
  }
  const actions = [...TALK, ...TROUBLE].map((action) => ({
    action,
    weight: action.weight * families[action.family] * (dice.pick([0.3, 1, 1, 2]) ?? 1),
  }));
  const total = actions.reduce((sum, { weight }) => sum + weight, 0);
  return (world) => {
    let at = world.dice.next() * total;
    for (const { action, weight } of actions) {
      at -= weight;
      if (at < 0) {
        world.chronicle.note("action", { name: action.name });
        return action;
      }
    }
    throw new Error("the weights do not add up");
  };
}

/** Holds all promises that can be held at any moment. */
function createWatch(world: World, arrivals: Arrivals): () => Promise<void> {
  const { truth, host, dice } = world;
  const cursors = createCursors();
  let life = 0;
  return async () => {
    world.assertUnbroken();
    const grown = await truth.advance(host);
    arrivals.check(world);
    if (host.life !== life) await truth.verifyAll(host);
    life = host.life;
    const another = dice.pick([...truth.channels.values()]);
    await checkStates(world, another === undefined ? grown : [...grown, another]);
    cursors.check(world);
    world.assertUnbroken();
  };
}

/** Nothing fails any more; everybody comes back, and everything that is owed is done. */
async function comeToRest(
  world: World,
  arrivals: Arrivals,
  watch: () => Promise<void>,
): Promise<void> {
  const { host, clients, clock, truth, chronicle } = world;
  chronicle.note("all is well again");
  world.isTroubled = false;
  world.stammer = 0;
  host.store?.heal();
  for (const client of clients) client.mend();
  let left: string[] = [];
  for (let passed = 0; passed < REST_WITHIN_MS; passed += REST_STEP_MS) {
    if (host.state === "down") host.start();
    for (const client of clients) {
      client.start();
      for (const member of client.members) {
        if (member.isAway) client.join(member);
        acknowledge(member, [...member.unread]);
      }
    }
    for (const channel of truth.channels.values()) {
      const speaker = speakerOf(world, channel);
      if (speaker !== null) speak(world, speaker, channel);
    }
    await clock.advanceAsync(REST_STEP_MS);
    await watch();
    world.isCalm = true;
    resumeGivenUp(world);
    removeGone(world);
    proveDisk(world);
    left = unrest(world, arrivals);
    if (left.length === 0) return;
  }
  throw new Violation(`the world does not come to rest:\n- ${left.join("\n- ")}`);
}

/** Whoever wanted to unregister and could not be sure is taken out by an operator. */
function removeGone(world: World): void {
  const { hub } = world.host;
  for (const { isGone, name, agentId } of world.members) {
    if (!isGone || hub === null || hub.findAgentId(name) !== agentId) continue;
    world.attempt(`an operator unregisters ${name}`, hub.unregister(agentId));
  }
}

/** A hub whose newest commit has failed is well again with the next one that works. */
function proveDisk(world: World): void {
  const client = world.members.flatMap(({ client: one }) => one ?? [])[0];
  if (client === undefined || world.host.hub?.health().status !== "degraded") return;
  world.attempt(`${client.name} writes`, client.setSkill("none in particular"));
}

/** A turn whose trigger was given up is taken when its agent asks what it owes. */
function resumeGivenUp({ truth, deadLetters, members, attempt }: World): void {
  const asking = new Set<string>();
  for (const { isOver, adapter, metadata, states } of truth.channels.values()) {
    const expected = isOver ? null : adapter.expectedNext(metadata, states.at(-1));
    const isDead = deadLetters.some(
      ({ envelopeId, recipientId }) =>
        envelopeId === expected?.triggering_envelope_id && recipientId === expected.agent_id,
    );
    if (isDead && expected !== null) asking.add(expected.agent_id);
  }
  for (const member of members) {
    const agent = agentOf(member);
    if (agent === null || !asking.has(member.agentId)) continue;
    attempt(`${member.name} asks what it owes`, agent.resumePendingTurns());
  }
}

/** The log as an operator would export it, and the journals, pass a program that knows no hub. */
async function checkExport(world: World): Promise<void> {
  const lines = await world.host.withDisk(async (store) => {
    const [agents, cut] = [await readAgents(store), await takeCut(store)];
    const nowMs = world.clock.now();
    const exported: string[] = [];
    const job = { store, agents, cut, nowMs, onEnvelope: () => undefined };
    for await (const line of exportLines(job)) exported.push(line);
    return exported;
  });
  const dead = new Set(world.deadLetters.map(({ recipientId }) => recipientId));
  const journals = world.clients.map(({ name, journal, members }) => {
    const caughtUp = members
      .filter(({ agentId }) => !dead.has(agentId))
      .map(({ agentId }) => ({ kind: "caught_up", recipient_id: agentId }));
    return {
      name,
      text: [...journal, ...caughtUp].map((one) => `${JSON.stringify(one)}\n`).join(""),
    };
  });
  const { findings, envelopes } = await check("export", lines, journals);
  require(findings.length === 0, () => `the checker found ${JSON.stringify(findings, null, 1)}`);
  require(envelopes === world.truth.rows, () =>
    `${envelopes} of ${world.truth.rows} were exported`);
}
