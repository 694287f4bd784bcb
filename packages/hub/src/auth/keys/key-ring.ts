import {
  type ApiKeyInfo,
  type Clock,
  DEFAULT_OVERLAP_S,
  type IdSource,
  type IssuedApiKey,
  type Logger,
  NotFoundError,
  ProtocolError,
  type RecordWrite,
  type SecretSource,
  type StoredRecord,
  UnavailableError,
} from "@colloquy/protocol";
import { quote } from "../../core/quote.js";
import type { ApiKeys, IssueKey, RotateKey } from "./api-keys.js";
import { checkLabel, checkPrincipal, checkSpan } from "./check-issue.js";
import { type KeyRecord, keyRecordSchema, keyStatus, showKey } from "./key-record.js";
import { digestKey, formKey, isSameDigest, keyIdOf } from "./key-secret.js";

/** What a key ring works on. */
export interface KeyRingPorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly secrets: SecretSource;
  readonly logger: Logger;
  /** Most keys that are kept, those that are over included; the oldest of these make room. */
  readonly maxKeys: number;
  /** Makes records durable together with a record of the change for the audit log, or nothing. */
  write(records: readonly RecordWrite[], change: KeyChange): Promise<void>;
}

/** A change of a key, for the audit log. */
export interface KeyChange {
  readonly kind: "key_issued" | "key_rotated" | "key_revoked";
  readonly key: ApiKeyInfo;
  readonly by: string;
}

/** A change as the audit log has it. */
export function auditOfKey({ kind, by, key }: KeyChange) {
  const { key_id, name, role, replaces, expires_at } = key;
  return { kind, key_id, name, role, replaces, expires_at, by };
}

/** The API keys of a hub in memory. */
export interface KeyRing extends ApiKeys {
  /** Takes up the records of a start. One that cannot be read is logged and opens nothing. */
  restore(records: readonly StoredRecord[]): void;
  /** The key that a token is; null when it is none of them. */
  find(token: string): KeyRecord | null;
  get(keyId: string): KeyRecord | null;
  /** True if some key, over or not, was issued to a participant of this name. */
  hasKeysFor(name: string): boolean;
  /** True if a key of an operator counts now. */
  readonly hasOperators: boolean;
  /** Calls back with the id of a key that has changed; returns how to stop. */
  watch(onChanged: (keyId: string) => void): () => void;
}

/** Makes an empty {@link KeyRing}. */
export function createKeyRing(ports: KeyRingPorts): KeyRing {
  const { clock, ids, logger } = ports;
  const keys = new Map<string, KeyRecord>();
  const watchers = new Set<(keyId: string) => void>();
  let tail: Promise<unknown> = Promise.resolve();

  /** One change at a time: each builds upon what the one before made durable. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = tail.then(run);
    tail = result.catch(() => undefined);
    return result;
  };
  const write = async (changed: readonly KeyRecord[], change: KeyChange): Promise<void> => {
    const over = overflow(keys, changed, ports.maxKeys, clock.now());
    const records = [
      ...over.map((id) => ({ kind: "key" as const, id, value: null })),
      ...changed.map((key) => ({
        kind: "key" as const,
        id: key.key_id,
        value: JSON.stringify(key),
      })),
    ];
    await ports.write(records, change);
    for (const id of over) keys.delete(id);
    for (const key of changed) keys.set(key.key_id, key);
    for (const { key_id } of changed) for (const watcher of watchers) watcher(key_id);
  };
  const make = (fields: Omit<KeyRecord, "key_id" | "digest" | "created_at" | "revoked_at">) => {
    const key_id = ids.next();
    const secret = formKey(key_id, ports.secrets.next());
    const whole = { key_id, digest: digestKey(secret), created_at: clock.now(), revoked_at: null };
    return { secret, record: { ...fields, ...whole } };
  };
  const need = (keyId: string): KeyRecord => {
    const key = keys.get(keyId);
    if (key === undefined) throw new NotFoundError(`API key not found: ${quote(keyId)}`);
    return key;
  };
  const changeOf = (kind: KeyChange["kind"], record: KeyRecord, by: string): KeyChange => ({
    kind,
    key: showKey(record, clock.now()),
    by,
  });

  const issue = async (input: IssueKey, by: string): Promise<IssuedApiKey> => {
    const principal = checkPrincipal(input);
    const label = checkLabel(input.label);
    const expires_at = endOf(clock.now(), input.ttlMs);
    const { secret, record } = make({
      ...principal,
      agents: [...principal.agents],
      label,
      expires_at,
      replaces: null,
      replaced_by: null,
    });
    const change = changeOf("key_issued", record, by);
    await write([record], change);
    return { secret, key: change.key };
  };
  const rotate = async (keyId: string, input: RotateKey, by: string): Promise<IssuedApiKey> => {
    const former = need(keyId);
    const now = clock.now();
    const status = keyStatus(former, now);
    if (status !== "active" || former.replaced_by !== null) {
      const why = status === "active" ? "has been rotated already" : `is ${status}`;
      throw new ProtocolError(`API key ${quote(keyId)} ${why}; issue a new one`);
    }
    const overlapMs = checkSpan("overlapMs", input.overlapMs ?? DEFAULT_OVERLAP_S * 1_000, 0);
    const { name, role, agents, label } = former;
    const { secret, record } = make({
      name,
      role,
      agents: [...agents],
      label,
      expires_at: endOf(now, input.ttlMs),
      replaces: keyId,
      replaced_by: null,
    });
    const end = Math.min(former.expires_at ?? Number.POSITIVE_INFINITY, now + overlapMs);
    const change = changeOf("key_rotated", record, by);
    await write([record, { ...former, expires_at: end, replaced_by: record.key_id }], change);
    return { secret, key: change.key };
  };
  const revoke = async (keyId: string, by: string): Promise<ApiKeyInfo> => {
    const key = need(keyId);
    if (key.revoked_at !== null) return showKey(key, clock.now());
    const revoked = { ...key, revoked_at: clock.now() };
    const change = changeOf("key_revoked", revoked, by);
    await write([revoked], change);
    return change.key;
  };

  return {
    issue: (input, by = "embedder") => inTurn(() => issue(input, by)),
    rotate: (keyId, input = {}, by = "embedder") => inTurn(() => rotate(keyId, input, by)),
    revoke: (keyId, by = "embedder") => inTurn(() => revoke(keyId, by)),
    list(name = null) {
      const now = clock.now();
      const chosen = [...keys.values()].filter((key) => name === null || key.name === name);
      return chosen.sort(byId).map((key) => showKey(key, now));
    },
    restore(records) {
      for (const { kind, id, value } of records) {
        if (kind !== "key") continue;
        ids.advancePast(id);
        const key = readRecord(value);
        if (key !== null) keys.set(key.key_id, key);
        else logger.error({ key_id: id }, "a stored API key cannot be read; it opens nothing");
      }
    },
    find(token) {
      const key = keys.get(keyIdOf(token) ?? "");
      return key !== undefined && isSameDigest(key.digest, digestKey(token)) ? key : null;
    },
    get: (keyId) => keys.get(keyId) ?? null,
    hasKeysFor: (name) =>
      [...keys.values()].some((key) => key.role === "participant" && key.name === name),
    get hasOperators() {
      const now = clock.now();
      return [...keys.values()].some(
        (key) =>
          (key.role === "operator" || key.role === "read_operator") &&
          keyStatus(key, now) === "active",
      );
    },
    watch(onChanged) {
      watchers.add(onChanged);
      return () => void watchers.delete(onChanged);
    },
  };
}

function endOf(now: number, ttlMs: number | null | undefined): number | null {
  return ttlMs === null || ttlMs === undefined ? null : now + checkSpan("ttlMs", ttlMs, 1);
}

/** Ids of the keys that must go to make room; throws `UnavailableError` when there is none to go. */
function overflow(
  keys: ReadonlyMap<string, KeyRecord>,
  changed: readonly KeyRecord[],
  maxKeys: number,
  now: number,
): string[] {
  const touched = new Set(changed.map(({ key_id }) => key_id));
  const added = changed.filter(({ key_id }) => !keys.has(key_id)).length;
  const excess = keys.size + added - maxKeys;
  if (added === 0 || excess <= 0) return [];
  const over = [...keys.values()]
    .filter((key) => !touched.has(key.key_id) && keyStatus(key, now) !== "active")
    .sort(byId)
    .slice(0, excess);
  if (over.length === excess) return over.map(({ key_id }) => key_id);
  throw new UnavailableError(
    `the hub keeps ${maxKeys} API keys at most, and all of them count; revoke some`,
  );
}

/** Ids rise with time. */
function byId(a: KeyRecord, b: KeyRecord): number {
  return a.key_id < b.key_id ? -1 : 1;
}

function readRecord(text: string): KeyRecord | null {
  try {
    return keyRecordSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
