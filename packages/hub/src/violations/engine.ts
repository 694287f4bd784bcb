import { isTerminalState, NotFoundError, type RecordWrite } from "@colloquy/protocol";
import type { ChannelExpectations, CoreContext } from "../context/core-context.js";
import { createAlarms } from "../expectations/alarms.js";
import { marksRecord } from "../expectations/fired-marks.js";
import { earliestDue, type JudgedEntry, judge } from "../expectations/judge.js";
import type { NextExpectation } from "../expectations/next-expectation.js";
import { nextOf } from "../expectations/next-of.js";
import { dueViolations } from "../expectations/violations.js";
import { Watch } from "../expectations/watch.js";
import type { LiveChannel } from "../live/live-channel.js";
import type { Engine, EngineParts } from "./engine-parts.js";
import { fire } from "./fire.js";
import { createUnsureFirings } from "./unsure-firings.js";

/** Watches the expectations of every open channel. */
export interface ExpectationEngine extends ChannelExpectations {
  /** Fires everything that is due now; resolves, once it is durable, with the number of violations. */
  tick(): Promise<number>;
  /** What fires next in a channel, unless something happens before; null for nothing. */
  next(channelId: string): Promise<NextExpectation | null>;
  /** What is expected in open channels and has nothing behind it, by channel. */
  readonly unwatched: ReadonlyMap<string, string>;
}

const KEY = "expectations";
/** Channels that are looked at in one go, so that ten thousand that fall due together hold nobody up. */
const LOOKS_AT_ONCE = 256;
/** Milliseconds after which something is tried again that the store did not take or give. */
const RETRY_MS = 1_000;

/**
 * Makes the {@link ExpectationEngine} of a hub.
 *
 * Every open channel has one alarm, for the earliest instant at which something in it may be
 * violated; all alarms together have one deadline. An envelope that ends a condition leaves the
 * alarm where it is, and the look that it causes sets it anew: posting costs no timer.
 */
export function createExpectationEngine(parts: EngineParts): ExpectationEngine {
  const { context, registry, marks } = parts;
  const alarms = createAlarms<Watch>();
  const unwatched = new Map<string, string>();
  let armedFor = Number.POSITIVE_INFINITY;
  let isWaking = false;

  const setAlarm = (watch: Watch, at: number): void => {
    alarms.set(watch, at);
    armTimer();
  };
  const armTimer = (): void => {
    if (isWaking) return;
    const { deadlines } = context();
    const at = alarms.first?.wakeAt ?? Number.POSITIVE_INFINITY;
    if (at === armedFor) return;
    armedFor = at;
    if (at === Number.POSITIVE_INFINITY) deadlines.clear(KEY);
    else deadlines.set(KEY, at, onDeadline);
  };
  const judged = (live: LiveChannel, watch: Watch): JudgedEntry[] =>
    judge(live, watch, {
      marks: marks.of(live.id),
      nameFor: (agentId) => context().agents.nameFor(agentId),
      onFault: ({ expectation }, error) =>
        context().logger.error(
          { err: error, channel_id: live.id, expectation: expectation.name },
          "an evaluator of expectations has failed",
        ),
    });
  const engine: Engine = {
    ...parts,
    fired: 0,
    arm: (live, watch) => setAlarm(watch, earliestDue(judged(live, watch))),
    unsure: (channelId, firing) => unsure.add(channelId, firing),
    retry: (watch) => setAlarm(watch, context().clock.now() + RETRY_MS),
  };
  const look = (watch: Watch, now: number): void => {
    if (unsure.has(watch.channelId)) return;
    const live = context().channels.peek(watch.channelId);
    if (live?.watch !== watch) {
      readLater(watch.channelId);
    } else if (live.head.position !== live.committed) {
      lookBehind(live, watch);
    } else {
      const all = judged(live, watch);
      const due = dueViolations(all, now);
      if (due.length === 0) setAlarm(watch, earliestDue(all));
      else fire(engine, live, watch, { judged: all, due });
    }
  };
  /** What is on its way into the store may keep the promise: it is waited for. */
  const lookBehind = (live: LiveChannel, watch: Watch): void => {
    watch.busy = true;
    const again = (): void => {
      watch.busy = false;
      engine.arm(live, watch);
    };
    try {
      context().committer.enqueue({ onCommitted: again, onFailed: again });
    } catch {
      watch.busy = false;
      engine.retry(watch);
    }
  };
  /** Looks at what is due; gives how many channels it has looked at. */
  const wake = (): number => {
    const now = context().clock.now();
    let looks = 0;
    isWaking = true;
    for (; looks < LOOKS_AT_ONCE; looks += 1) {
      const { first } = alarms;
      if (first === undefined || first.wakeAt > now) break;
      alarms.set(first, Number.POSITIVE_INFINITY);
      look(first, now);
    }
    isWaking = false;
    armTimer();
    return looks;
  };
  const onDeadline = (): void => {
    armedFor = Number.POSITIVE_INFINITY;
    wake();
  };
  const readLater = (channelId: string): void => {
    const { channels, deadlines, clock, logger } = context();
    channels.load(channelId).catch((error: unknown) => {
      if (error instanceof NotFoundError || channels.quarantined.has(channelId)) return;
      logger.warn(
        { err: error, channel_id: channelId },
        "a channel's expectations wait: reading it failed",
      );
      deadlines.set(`${KEY} ${channelId}`, clock.now() + RETRY_MS, () => readLater(channelId));
    });
  };
  const lookAgain = (channelId: string): void => {
    const live = context().channels.peek(channelId);
    const watch = live === undefined ? null : ownWatch(live);
    if (live === undefined) readLater(channelId);
    else if (watch !== null && !watch.busy) engine.arm(live, watch);
  };
  const unsure = createUnsureFirings(context, marks, lookAgain);
  const forget = (watch: Watch): void => {
    setAlarm(watch, Number.POSITIVE_INFINITY);
    marks.set(watch.channelId, new Map());
    unwatched.delete(watch.channelId);
  };

  return {
    unwatched,
    checkChannel(channel) {
      registry.checkChannel(channel, (agentId) => context().agents.nameFor(agentId));
    },
    watchFor(channel) {
      if (isTerminalState(channel.state)) return null;
      const plan = registry.planFor(channel);
      const isWatched = plan.entries.length + plan.unwatched.length > 0;
      return isWatched ? new Watch(channel.channel_id, plan) : null;
    },
    resume(live) {
      const watch = ownWatch(live);
      if (watch === null) return;
      if (watch.plan.unwatched.length > 0) {
        unwatched.set(live.id, watch.plan.unwatched.join("; "));
        tellUnwatched(context(), live.id, watch);
      }
      engine.arm(live, watch);
    },
    changed(live, { since, isNews }) {
      const watch = ownWatch(live);
      if (watch === null) return;
      if (isTerminalState(live.durable.metadata.state)) forget(watch);
      else if (!watch.busy && (isNews || watch.wakeAt > since + watch.plan.leastMs)) {
        engine.arm(live, watch);
      }
    },
    readLater,
    recordsAtEnd(channelId): readonly RecordWrite[] {
      return marks.of(channelId).size === 0 ? [] : [marksRecord(channelId, new Map())];
    },
    async tick() {
      const before = engine.fired;
      for (let left = alarms.size; left > 0; ) {
        const looks = wake();
        if (looks === 0) break;
        left -= looks;
      }
      await context().committer.flush();
      return engine.fired - before;
    },
    async next(channelId) {
      const live = await context().channels.load(channelId);
      const watch = ownWatch(live);
      return watch === null ? null : nextOf(judged(live, watch));
    },
  };
}

function ownWatch({ watch }: LiveChannel): Watch | null {
  return watch instanceof Watch ? watch : null;
}

/** A promise that nobody keeps any more: the channel goes on, and operators hear of it. */
function tellUnwatched({ logger, audit }: CoreContext, channelId: string, { plan }: Watch): void {
  const reasons = plan.unwatched;
  logger.warn({ channel_id: channelId, reasons }, "expectations of a channel are not watched");
  audit.append({ kind: "expectation_unwatched", channel_id: channelId, reasons });
}
