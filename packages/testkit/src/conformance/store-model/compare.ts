import type { Store } from "@colloquy/protocol";
import { expect } from "vitest";
import { dumpStore } from "../store/dump-store.js";
import {
  allChannels,
  newestOf,
  openChannels,
  type PlainModel,
  recordsOf,
  walOf,
} from "./plain-model.js";

/** Asserts that a store holds exactly what the model holds. */
export async function expectEqual(store: Store, model: PlainModel): Promise<void> {
  const dump = await dumpStore(store);
  expect(dump.log).toEqual(model.log);
  expect(dump.channels).toEqual(allChannels(model));
  expect(dump.records).toEqual([...recordsOf(model, "agent"), ...recordsOf(model, "skill")]);
  expect(dump.deliveries).toEqual(
    newestOf(model.deliveries).filter((delivery) => !delivery.settled),
  );
  const audit = model.audit.map((record, index) => ({ sequence: index + 1, record }));
  expect(dump.audit).toMatchObject(audit);
  expect(dump.audit).toHaveLength(audit.length);
  expect(dump.recovered).toEqual(openChannels(model).map((channel) => recovered(model, channel)));
}

function recovered(model: PlainModel, channel: { readonly channel_id: string }) {
  const wal = walOf(model, channel.channel_id);
  const newest = wal.at(-1);
  const snapshot = model.snapshots.get(channel.channel_id)?.at(-1) ?? null;
  return {
    channel,
    head: {
      position: newest?.position ?? 0,
      row: newest?.row ?? 0,
      hash: newest?.hash ?? "",
    },
    snapshot,
    tail: wal.slice(snapshot?.position ?? 0),
  };
}

/**
 * After a crash the lazy part may end earlier than it was written. Asserts that what is left is
 * possible, and lets the model go on from there.
 */
export async function adoptLazyPart(store: Store, model: PlainModel): Promise<void> {
  const audit = (await store.readAudit()).map(({ record }) => record);
  expect(audit).toEqual(model.audit.slice(0, audit.length));
  model.audit.length = audit.length;
  for (const [key, values] of model.deliveries) {
    const [agentId = "", channelId = ""] = key.split("/");
    adopt(model.deliveries, key, values, (await store.readDeliveries(agentId, channelId))[0]);
  }
  for (const [channelId, values] of model.snapshots) {
    adopt(model.snapshots, channelId, values, (await store.readSnapshot(channelId)) ?? undefined);
  }
}

function adopt<T>(
  lists: Map<string, T[]>,
  key: string,
  values: readonly T[],
  left: T | undefined,
): void {
  if (left === undefined) {
    lists.delete(key);
    return;
  }
  expect(values).toContainEqual(left);
  lists.set(key, [left]);
}
