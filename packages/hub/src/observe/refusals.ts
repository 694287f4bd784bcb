import { type Clock, formatTimestamp, isNetworkError, redactText } from "@colloquy/protocol";
import { gateOf } from "../core/gate-mark.js";
import type { Listeners } from "./hub-listener.js";
import type { Refusal, RefusalFacts } from "./refusal.js";
import { refusalIdOf, withRefusalId } from "./refusal-id.js";

/** Where everything that the hub refuses is told: to the audit log, to listeners, to the refused side. */
export interface Refusals {
  /**
   * Records a refusal.
   *
   * @param reason - for the operator; default: the error's message
   * @returns the error to refuse with; its details name the refusal
   */
  refuse(error: unknown, facts: RefusalFacts, reason?: string): Error;
  /** Runs something; what it throws or rejects with is a refusal. One that was recorded inside is not recorded twice. */
  guard<T>(work: () => Promise<T>, facts: () => RefusalFacts): Promise<T>;
  /** Writes the counts of the minute under way, for a hub that closes. */
  flush(): void;
}

/** What {@link createRefusals} works on. */
export interface RefusalPorts {
  readonly clock: Clock;
  readonly ids: { next(): string };
  readonly deadlines: { set(key: string, atEpochMs: number, run: () => void): void };
  readonly limits: { readonly auditedRefusalsPerMinute: number };
  readonly listeners: Pick<Listeners, "emit">;
  /** Adds a record to the audit log in force. */
  append(record: { readonly kind: string; readonly [field: string]: unknown }): void;
}

type Actor = Pick<RefusalFacts, "agent_id" | "name" | "endpoint_id">;

interface Group {
  readonly facts: Actor & Pick<RefusalFacts, "what"> & { readonly code: string };
  readonly isOthers: boolean;
  written: number;
  counted: number;
  /** Names the record of those that are only counted. */
  refusalId: string;
  reason: string;
}

const KIND = "refused";
const MINUTE_MS = 60_000;
const DEADLINE_KEY = "audit-refusals";
/** Groups of one minute; what comes after them is counted together, whoever is behind it. */
const MAX_GROUPS = 256;
/** Of all groups together so many times the limit of one are written in full. */
const MAX_FULL_GROUPS = 10;
const MAX_REASON_LENGTH = 500;

/**
 * Makes the {@link Refusals} of a hub.
 *
 * Each is an audit record `refused`. Refusals of one kind with one code to one actor make a group;
 * of each group the first `auditedRefusalsPerMinute` in a minute are written one by one, and what
 * goes beyond is one record with `count` and `since` at the minute's end; so is what goes beyond
 * ten times as many of all groups together. A minute starts with its first refusal. Listeners hear
 * of every one, `counted` or not.
 */
export function createRefusals(ports: RefusalPorts): Refusals {
  const { clock, ids, deadlines, limits, listeners, append } = ports;
  let startedAt = Number.NEGATIVE_INFINITY;
  let writtenOfAll = 0;
  /** True while a deadline will write what is counted. */
  let isArmed = false;
  const groups = new Map<string, Group>();

  const flush = (): void => {
    const since = groups.size === 0 ? "" : formatTimestamp(startedAt);
    for (const { facts, counted, refusalId, reason } of groups.values()) {
      if (counted === 0) continue;
      append({ kind: KIND, refusal_id: refusalId, ...facts, reason, count: counted, since });
    }
    groups.clear();
    writtenOfAll = 0;
    isArmed = false;
  };
  const groupFor = (facts: RefusalFacts, code: string): Group => {
    const now = clock.now();
    if (groups.size > 0 && now - startedAt >= MINUTE_MS) flush();
    if (groups.size === 0) startedAt = now;
    const actor = actorOf(facts);
    const known = groups.get(keyOf(facts.what, code, actor));
    if (known !== undefined) return known;
    const isOthers = groups.size >= MAX_GROUPS;
    const key = keyOf(facts.what, code, isOthers ? {} : actor);
    const found = groups.get(key);
    if (found !== undefined) return found;
    const { what } = facts;
    const own = { what, code, ...(isOthers ? {} : actor) };
    const group = { facts: own, isOthers, written: 0, counted: 0, refusalId: "", reason: "" };
    groups.set(key, group);
    return group;
  };
  const isSpent = ({ isOthers, written }: Group): boolean => {
    const limit = limits.auditedRefusalsPerMinute;
    return isOthers || written >= limit || writtenOfAll >= MAX_FULL_GROUPS * limit;
  };
  /** Takes one in; returns whether it is only counted, and the id under which it is found. */
  const take = (group: Group, reason: string): Pick<Refusal, "counted" | "refusal_id"> => {
    if (!isSpent(group)) {
      group.written += 1;
      writtenOfAll += 1;
      return { counted: false, refusal_id: ids.next() };
    }
    group.refusalId ||= ids.next();
    group.counted += 1;
    if (!isArmed) deadlines.set(DEADLINE_KEY, startedAt + MINUTE_MS, flush);
    isArmed = true;
    group.reason = reason;
    return { counted: true, refusal_id: group.refusalId };
  };
  const refuse: Refusals["refuse"] = (thrown, given, reason) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const code = isNetworkError(error) ? error.code : "internal";
    const text = (reason ?? error.message).slice(0, 2 * MAX_REASON_LENGTH);
    const shown = redactText(text).slice(0, MAX_REASON_LENGTH);
    const gate = given.gate ?? gateOf(error);
    const facts = gate === undefined ? given : { ...given, gate };
    const { counted, refusal_id } = take(groupFor(facts, code), shown);
    if (!counted) append({ kind: KIND, refusal_id, ...facts, code, reason: shown });
    listeners.emit("onRefused", { refusal_id, ...facts, code, reason: shown, counted });
    return withRefusalId(error, refusal_id);
  };

  return {
    refuse,
    flush,
    async guard(work, facts) {
      try {
        return await work();
      } catch (error) {
        throw refusalIdOf(error) === undefined ? refuse(error, facts()) : error;
      }
    },
  };
}

function actorOf({ agent_id, name, endpoint_id }: RefusalFacts): Actor {
  if (agent_id !== undefined) return { agent_id };
  if (endpoint_id !== undefined) return { endpoint_id };
  return name === undefined ? {} : { name };
}

function keyOf(what: string, code: string, actor: Actor): string {
  return `${what} ${code} ${actor.agent_id ?? ""} ${actor.endpoint_id ?? ""} ${actor.name ?? ""}`;
}
