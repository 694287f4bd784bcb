import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { registerAgents } from "../servers/register.js";
import { conversation, line, type Pair } from "./conversation.js";
import { createLogWriter } from "./log-writer.js";

/** A channel in which a turn can be prepared. */
export interface TurnChannel {
  readonly channelId: string;
  readonly agentId: string;
}

/** Fills a store with one open conversation per length, one after the other. */
export async function fillTurns(
  path: string,
  lengths: readonly number[],
): Promise<readonly TurnChannel[]> {
  const pair = await registerPair(path);
  const store = await openSqliteStore({ path, durability: "os" });
  const writer = await createLogWriter(store);
  const channels: TurnChannel[] = [];
  for (const length of lengths) {
    const channelId = writer.ids.next();
    writer.writeChannel(conversation(channelId, pair, "active"));
    for (let position = 1; position <= length; position += 1) {
      await writer.append(line(channelId, pair, position));
    }
    channels.push({ channelId, agentId: pair[1] });
  }
  await writer.flush();
  await store.close();
  // A hub writes snapshots when it closes, so that the next one need not fold all of it.
  const hub = await openHub({
    store: await openSqliteStore({ path }),
    adapters: createDefaultAdapters(),
  });
  await hub.close();
  return channels;
}

async function registerPair(path: string): Promise<Pair> {
  const hub = await openHub({ store: await openSqliteStore({ path }) });
  const [creator, other] = await registerAgents(hub, "agent", 2);
  await hub.close();
  if (creator === undefined || other === undefined) throw new Error("there are no agents");
  return [creator.id, other.id];
}
