import {
  type ChannelManifest,
  type ChannelMetadata,
  type Expectation,
  expectationsOf,
  findParticipant,
  ProtocolError,
  roleSchema,
} from "@colloquy/protocol";
import { quote } from "../core/quote.js";
import type { ExpectationEvaluator } from "./evaluator.js";
import { acksWithin } from "./evaluators/acks-within.js";
import { maxSilence } from "./evaluators/max-silence.js";
import { replyWithin } from "./evaluators/reply-within.js";
import { turnWithin } from "./evaluators/turn-within.js";
import type { ViolationHandler } from "./handler.js";
import { makePlan, type PlanEntry, type WatchPlan } from "./plan.js";

/** What may stand behind the expectations of channels, by name. */
export interface ExpectationRegistry {
  /** Adds an evaluator; the same name replaces, for channels that are opened or read later. */
  registerEvaluator(evaluator: ExpectationEvaluator): void;
  /** Adds a handler; the same name replaces, the built-in ones included. */
  registerHandler(handler: ViolationHandler): void;
  /** The registered handler of a name; undefined where the hub's own answers to it, or nothing. */
  ownHandler(name: string): ViolationHandler | undefined;
  /** Throws `ProtocolError` when a channel type expects what nothing stands behind. */
  checkManifest(manifest: ChannelManifest): void;
  /** {@link ExpectationRegistry.checkManifest} for a channel that is to be opened, its knob included. */
  checkChannel(channel: ChannelMetadata, nameFor: (agentId: string) => string): void;
  /** How a channel is watched; what has nothing behind it is left out and named. */
  planFor(channel: ChannelMetadata): WatchPlan;
}

/** Plans of so many different lists of expectations are remembered. */
const MAX_PLANS = 256;

/** What stands behind expectations from the start. */
export interface RegistryStart {
  /** Names of handlers that the hub itself answers to. */
  readonly builtIn: Iterable<string>;
  readonly evaluators?: readonly ExpectationEvaluator[] | undefined;
  readonly handlers?: readonly ViolationHandler[] | undefined;
}

/** Makes an {@link ExpectationRegistry} with the built-in evaluators and others. */
export function createExpectationRegistry({
  builtIn,
  evaluators = [],
  handlers = [],
}: RegistryStart): ExpectationRegistry {
  const byName = new Map<string, ExpectationEvaluator>();
  const own = new Map<string, ViolationHandler>();
  const answered = new Set(builtIn);
  const plans = new Map<string, WatchPlan>();

  const faultOf = (expectation: Expectation): string | null => {
    const { name, on_violation } = expectation;
    if (!byName.has(name)) {
      return `no evaluator ${quote(name)} is registered; there are ${[...byName.keys()].join(", ")}`;
    }
    if (answered.has(on_violation)) return null;
    return `expectation ${quote(name)}: no handler ${quote(on_violation)} is registered; there are ${[...answered].join(", ")}`;
  };
  const check = (expectations: readonly Expectation[], subject: string): void => {
    for (const expectation of expectations) {
      const fault = faultOf(expectation);
      if (fault !== null) {
        throw new ProtocolError(`${subject}: ${fault}`, { details: { field: "expectations" } });
      }
      byName.get(expectation.name)?.check?.(expectation);
    }
  };
  const planOf = (expectations: readonly Expectation[]): WatchPlan => {
    const entries: PlanEntry[] = [];
    const unwatched: string[] = [];
    for (const [index, expectation] of expectations.entries()) {
      const evaluator = byName.get(expectation.name);
      const fault = faultOf(expectation) ?? paramsFault(expectation, evaluator);
      if (evaluator === undefined || fault !== null) unwatched.push(fault ?? "");
      else entries.push({ index, expectation, evaluator });
    }
    return makePlan(entries, unwatched);
  };
  const registry: ExpectationRegistry = {
    registerEvaluator(evaluator) {
      byName.set(evaluator.name, evaluator);
      plans.clear();
    },
    registerHandler(handler) {
      own.set(handler.name, handler);
      answered.add(handler.name);
      plans.clear();
    },
    ownHandler: (name) => own.get(name),
    checkManifest({ type, expectations }) {
      check(expectations, `the manifest of channel type ${quote(type)}`);
    },
    checkChannel(channel, nameFor) {
      const expectations = expectationsOf(channel);
      check(expectations, "knob expectations");
      if (channel.knobs["expectations"] === undefined) return;
      for (const expectation of expectations) checkAppliesTo(expectation, channel, nameFor);
    },
    planFor(channel) {
      let expectations: readonly Expectation[];
      try {
        expectations = expectationsOf(channel);
      } catch (error) {
        return makePlan([], [error instanceof Error ? error.message : String(error)]);
      }
      const key = JSON.stringify(expectations);
      const found = plans.get(key);
      if (found !== undefined) return found;
      if (plans.size >= MAX_PLANS) plans.clear();
      const plan = planOf(structuredClone(expectations));
      plans.set(key, plan);
      return plan;
    },
  };
  for (const evaluator of [acksWithin, replyWithin, maxSilence, turnWithin, ...evaluators]) {
    registry.registerEvaluator(evaluator);
  }
  for (const handler of handlers) registry.registerHandler(handler);
  return registry;
}

function paramsFault(
  expectation: Expectation,
  evaluator: ExpectationEvaluator | undefined,
): string | null {
  try {
    evaluator?.check?.(expectation);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** True if `applies_to` is about a participant: by role, id or name; null is about everybody. */
export function appliesTo(
  { applies_to }: Expectation,
  channel: ChannelMetadata,
  agentId: string,
  nameFor: (agentId: string) => string,
): boolean {
  if (applies_to === null || applies_to.includes(agentId)) return true;
  const role = findParticipant(channel, agentId)?.role;
  if (role !== undefined && applies_to.includes(role)) return true;
  return applies_to.includes(nameFor(agentId));
}

/** A name that means nobody is most likely misspelt, and its expectation would never be violated. */
function checkAppliesTo(
  { name, applies_to }: Expectation,
  { participants }: ChannelMetadata,
  nameFor: (agentId: string) => string,
): void {
  for (const wanted of applies_to ?? []) {
    if (roleSchema.safeParse(wanted).success) continue;
    if (participants.some(({ agent_id: id }) => id === wanted || nameFor(id) === wanted)) continue;
    throw new ProtocolError(
      `knob expectations: '${name}' applies to ${quote(wanted)}, which is no role and no participant; name roles, ids or names of participants`,
      { details: { field: "expectations" } },
    );
  }
}
