import type { Meter } from "@opentelemetry/api";

/** Seconds of what happens in a hub. */
const FAST_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Seconds of what waits for somebody. */
const SLOW_S = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600];
const SIZES = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 4_096];

/** Makes what the events of a hub are counted and timed with. */
export function createInstruments(meter: Meter) {
  const counter = (name: string, unit: string, description: string) =>
    meter.createCounter(`colloquy.${name}`, { unit, description });
  const histogram = (name: string, unit: string, description: string, bounds: number[]) =>
    meter.createHistogram(`colloquy.${name}`, {
      unit,
      description,
      advice: { explicitBucketBoundaries: bounds },
    });
  return {
    admissions: counter(
      "admissions",
      "{envelope}",
      "Envelopes that were admitted and are durable, by channel type.",
    ),
    refusals: counter(
      "refusals",
      "{refusal}",
      "What the hub refused, by what was wanted, code of the error and check.",
    ),
    commitDuration: histogram(
      "commit.duration",
      "s",
      "Time that the store took for one commit, by outcome.",
      FAST_S,
    ),
    commitSize: histogram("commit.size", "{envelope}", "Envelopes of one commit.", SIZES),
    deliveryLag: histogram(
      "delivery.lag",
      "s",
      "Time from an envelope's admission until it was handed to a recipient's connection the first time.",
      SLOW_S,
    ),
    settleLag: histogram(
      "delivery.acknowledgement.lag",
      "s",
      "Time from an envelope's admission until a recipient acknowledged it.",
      SLOW_S,
    ),
    redeliveries: counter(
      "delivery.redeliveries",
      "{envelope}",
      "Envelopes that were handed over once more to the same recipient.",
    ),
    deadLetters: counter(
      "delivery.dead_letters",
      "{envelope}",
      "Envelopes that were given up for a recipient.",
    ),
    dispatchFailures: counter(
      "delivery.failures",
      "{envelope}",
      "Envelopes that a connection or a remote proxy failed to take.",
    ),
    inboxPressure: counter(
      "delivery.inbox_pressure",
      "{crossing}",
      "Times that an agent's inbox rose to its high-water mark.",
    ),
    turnDuration: histogram(
      "turn.duration",
      "s",
      "Time from an envelope's admission until the answer to it was admitted.",
      SLOW_S,
    ),
    turnFailures: counter("turn.failures", "{turn}", "Turns whose failure an agent has reported."),
    channelsOpened: counter(
      "channels.opened",
      "{channel}",
      "Channels that became active, by type.",
    ),
    channelsEnded: counter(
      "channels.ended",
      "{channel}",
      "Channels that ended, by outcome: closed or expired.",
    ),
    tasksEnded: counter("tasks.ended", "{task}", "Tasks that ended, by outcome."),
    violations: counter(
      "expectations.violated",
      "{violation}",
      "Expectations that were violated, by what follows from it.",
    ),
  };
}

/** See {@link createInstruments}. */
export type Instruments = ReturnType<typeof createInstruments>;
