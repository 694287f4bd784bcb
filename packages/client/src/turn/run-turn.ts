import type { Envelope, EnvelopeDraft } from "@colloquy/protocol";
import type { Reply, Turn } from "../agent/agent.js";
import type { DeliveryFacts } from "../agent/agent-client.js";
import { raceSignal } from "../connection/race-signal.js";
import { buildTurn } from "./build-turn.js";
import { encodeRound } from "./encode-round.js";
import { overBreaks } from "./over-breaks.js";
import { type Answer, postAnswer } from "./post-answer.js";
import { prepareTurn, type SkipReason } from "./prepare-turn.js";
import { createTurnDeadline } from "./turn-deadline.js";
import { createTurnDeltas } from "./turn-deltas.js";
import type { TurnHost } from "./turn-host.js";
import { createTurnPort } from "./turn-port.js";
import { createTurnTrace } from "./turn-trace.js";

/** What came of an envelope that might have been answered. */
export type TurnOutcome =
  | { readonly kind: "skipped"; readonly reason: SkipReason }
  | { readonly kind: "silent" }
  | ({ readonly kind: "answered" } & Answer);

/**
 * Runs one turn from the trigger to the posted answer.
 *
 * Rejects when the agent throws, when the time is up, when the turn was cancelled, or when the hub
 * refuses the answer. Nothing is posted then, except what tools have said themselves.
 */
export async function runTurn(
  host: TurnHost,
  trigger: Envelope,
  delivery: DeliveryFacts,
): Promise<TurnOutcome> {
  const giveBack = await host.slots.take(delivery.signal);
  delivery.takeUp?.();
  const deadline = createTurnDeadline(host.clock, host.turnTimeoutMs, [delivery.signal]);
  const deltas = createTurnDeltas(host, trigger, delivery.attempt);
  try {
    const preparing = overBreaks(() => prepareTurn(host, trigger), deadline.signal);
    const prepared = await raceSignal(preparing, deadline.signal);
    if (prepared.kind === "skip") return { kind: "skipped", reason: prepared.reason };
    const trace = createTurnTrace(trigger);
    const { signal } = deadline;
    const port = createTurnPort(host, trigger, prepared.names, { signal, trace });
    const tasks = host.tasks.openScope({ channelId: trigger.channel_id, signal });
    // A cancelled task asks the agent to stop; whether it still answers is the agent's to say.
    const asked = AbortSignal.any([signal, tasks.cancelled]);
    const turn = buildTurn(host, prepared, port, {
      ...{ trigger, attempt: delivery.attempt, signal: asked, tasks, trace, deltas },
    });
    const reply = await raceSignal(ask(host, turn), signal);
    // Whoever reads the answer may look the task up.
    await raceSignal(tasks.settled(), signal);
    const draft = encodeRound({
      turn: prepared,
      agentId: host.client.agentId,
      trigger,
      reply,
      alreadySpoke: port.hasSpoken,
      traceparent: trace.traceparent,
    });
    // What is shown stands before what replaces it.
    if (draft !== null) deltas.finish();
    const outcome = await end(host, draft, trigger, delivery.signal);
    deltas.end(outcome.kind === "silent" ? "silent" : "answered");
    return outcome;
  } catch (error) {
    deltas.end("failed");
    throw error;
  } finally {
    deadline.clear();
    giveBack();
  }
}

async function ask(host: TurnHost, turn: Turn): Promise<Reply> {
  return host.agent.ask(turn);
}

async function end(
  host: TurnHost,
  draft: EnvelopeDraft | null,
  trigger: Envelope,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  if (draft === null) return { kind: "silent" };
  const answer = { ...draft, causation_id: trigger.envelope_id };
  return { kind: "answered", ...(await postAnswer(host, answer, signal)) };
}
