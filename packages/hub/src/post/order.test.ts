import { createDefaultAdapters, roundRobinGraph } from "@colloquy/adapters";
import { type Delivery, EV_CONTEXT_SET, type LinkPeer } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, settle, until } from "@colloquy/testkit";
import { expect, it } from "vitest";
import type { BoundConnection } from "../delivery/delivery.js";
import { assembleHub } from "../open-hub.js";

/** Numbers from 0 to below `bound` that look random and are the same every time. */
function createDice(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % bound;
  };
}

/** A receiver that acknowledges each envelope some turns of the loop later. */
function createReceiver(endpointId: string, onNotify: (delivery: Delivery) => void) {
  const seen: number[] = [];
  const peer: LinkPeer = {
    profile: "colloquy.v1",
    loopback: true,
    label: endpointId,
    bufferedBytes: 0,
    send: () => undefined,
    notify(delivery) {
      seen.push(delivery.position);
      onNotify(delivery);
    },
    close: () => undefined,
    cork: () => undefined,
    uncork: () => undefined,
  };
  const connection = {
    endpointId,
    receive: () => undefined,
    receiveBad: () => undefined,
    closed: () => undefined,
  };
  const bound: BoundConnection = { endpointId, peer, connection };
  return { seen, bound };
}

it("F-034 ten that post at once are heard by all in the order of the log, live and at catch-up", async () => {
  const { hub, context } = await assembleHub({
    store: createMemoryStore(),
    clock: createFakeClock(),
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
  });
  const bench = createHubBench(hub);
  const rule = { limits: { inbox: { max_pending: 0 } } };
  const ids: string[] = [];
  for (let index = 0; index < 10; index += 1)
    ids.push(await bench.join(`member ${index}`, { rule }));
  const [creator = "", ...others] = ids;
  const knobs = { graph: roundRobinGraph(ids, 50) };
  const { channel_id: id } = await bench.open("workflow", creator, others, { knobs });
  const first = (await hub.readWal(id)).length;

  const dice = createDice(7);
  const receive = (recipient_id: string) => (delivery: Delivery) => {
    const answer = (turns: number): void => {
      if (turns > 0) setImmediate(() => answer(turns - 1));
      else {
        const { envelope_id } = delivery.envelope;
        context.delivery.receipt({
          ...{ recipient_id, channel_id: id, envelope_id },
          ...{ status: "ack", reason: "" },
        });
      }
    };
    answer(dice(5));
  };
  const receivers = ids.map((agentId, index) => {
    const receiver = createReceiver(`e${index}`, receive(agentId));
    context.delivery.bind(agentId, receiver.bound);
    return receiver;
  });
  await Promise.all(ids.map((agentId) => context.delivery.replay(agentId, "")));
  for (const { seen } of receivers) seen.length = 0;

  const sizes = [10, 100, 1_000, 10_000];
  for (let round = 0; round < 100; round += 1) {
    if (round === 50) for (const agentId of ids.slice(5)) context.delivery.unbind(agentId);
    const posts = ids.map((sender_id, index) => {
      const size = round % 25 === 0 && index === 0 ? 500 * 1024 : (sizes[dice(4)] ?? 10);
      return hub.post({
        channel_id: id,
        sender_id,
        event_type: EV_CONTEXT_SET,
        event_data: { set: { [`k${index}`]: "x".repeat(size) } },
      });
    });
    await Promise.all(posts);
  }
  for (const [index, agentId] of ids.entries()) {
    const receiver = receivers[index];
    if (index < 5 || receiver === undefined) continue;
    context.delivery.bind(agentId, receiver.bound);
    await context.delivery.replay(agentId, "");
  }
  await until(() => ids.every((agentId) => context.delivery.pending(agentId) === 0), {
    timeoutMs: 15_000,
  });
  await settle();

  const wal = await hub.readWal(id);
  expect(wal).toHaveLength(first + 1_000);
  for (const [index, agentId] of ids.entries()) {
    const expected = wal
      .map(({ sender_id }, at) => (sender_id === agentId ? 0 : at + 1))
      .filter((position) => position > first);
    // What was on its way when the link was cut may come twice; the first time counts.
    expect([...new Set(receivers[index]?.seen)]).toEqual(expected);
  }
});
