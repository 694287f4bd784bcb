import type { Envelope, Passport } from "@colloquy/protocol";
import { settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createDeliveryBench } from "../../../../test/edge/delivery-bench.js";

const REMOTE = { kind: "remote_agent", hub_id: "h2", auth: { scheme: "a2a" } } as const;

function start(limits = {}) {
  const failed: string[] = [];
  const dispatched: number[] = [];
  const bench = createDeliveryBench({
    limits: { redeliveryBaseMs: 100, maxDeliveryAttempts: 3, ...limits },
    listener: {
      onDispatchFailed: (_envelope, id, reason) => void failed.push(`${id}: ${reason}`),
      onEnvelopeDispatched: (_envelope, failures) => void dispatched.push(failures),
    },
  });
  const a = bench.register("a");
  const b = bench.register("b", {}, REMOTE);
  const got: string[] = [];
  const faults: string[] = [];
  const proxy = {
    ...{ scheme: "a2a", closed: 0 },
    async dispatch({ envelope_id }: Envelope, passport: Passport) {
      const fault = faults.shift();
      got.push(`${passport.agent_id} ${envelope_id}`);
      if (fault !== undefined) throw new Error(fault);
    },
    close() {
      proxy.closed += 1;
    },
  };
  return { bench, a, b, channel: bench.open(a, b), proxy, got, faults, failed, dispatched };
}

describe("remote participants", () => {
  it("N-201 N-202 a proxy is found by its scheme, and the second of a scheme replaces the first", async () => {
    const { bench, proxy } = start();
    bench.delivery.registerRemoteProxy(proxy);
    expect(bench.delivery.remoteProxyFor("a2a")).toBe(proxy);
    expect(bench.delivery.remoteProxyFor("grpc")).toBeNull();
    const second = { scheme: "a2a", dispatch: async () => undefined, close: () => undefined };
    bench.delivery.registerRemoteProxy(second);
    expect(bench.delivery.remoteProxyFor("a2a")).toBe(second);
    expect(proxy.closed).toBe(1);
    expect(bench.delivery.unregisterRemoteProxy("a2a")).toBe(true);
    expect(bench.delivery.unregisterRemoteProxy("a2a")).toBe(false);
    const none = { ...second, scheme: "" };
    expect(() => bench.delivery.registerRemoteProxy(none)).toThrow("field scheme");
  });

  it("get each envelope once and in order; a failed one again before its successors", async () => {
    const { bench, a, b, channel, proxy, got, faults, failed, dispatched } = start();
    bench.delivery.registerRemoteProxy(proxy);
    const first = bench.post(channel, a);
    await settle();
    faults.push("away");
    const [second, third] = [bench.post(channel, a), bench.post(channel, a)];
    await settle();
    expect(failed).toEqual([`${b}: away`]);
    expect(bench.delivery.dispatchFailures(second.envelope_id)).toBe(1);
    expect(bench.delivery.ledger(channel.id, second.envelope_id)).toMatchObject([
      { state: "failed" },
    ]);
    await bench.clock.advanceAsync(100);
    await settle();
    const ids = [first, second, second, third].map(({ envelope_id }) => `${b} ${envelope_id}`);
    expect(got).toEqual(ids);
    expect(bench.delivery.pending(b)).toBe(0);
    expect(dispatched).toContain(1);
  });

  it("are given up like everybody else, and what follows goes on", async () => {
    const { bench, a, b, channel, proxy, got, faults } = start();
    bench.delivery.registerRemoteProxy(proxy);
    faults.push("1", "2", "3");
    const [lost, next] = [bench.post(channel, a), bench.post(channel, a)];
    for (let n = 0; n < 4; n += 1) {
      await settle();
      await bench.clock.advanceAsync(1_000);
    }
    expect(bench.delivery.listDeadLetters({}).dead_letters).toMatchObject([
      { envelope_id: lost.envelope_id, recipient_id: b, reason: "given up after 3: 3" },
    ]);
    expect(got.at(-1)).toBe(`${b} ${next.envelope_id}`);
  });

  it("a proxy that never answers has failed after its time", async () => {
    const { bench, a, channel, failed } = start({ remoteDispatchTimeoutMs: 50 });
    const dispatch = () => new Promise<void>(() => undefined);
    bench.delivery.registerRemoteProxy({ scheme: "a2a", dispatch, close: () => undefined });
    bench.post(channel, a);
    await settle();
    await bench.clock.advanceAsync(50);
    await settle();
    expect(failed[0]).toContain("within 50 ms");
  });

  it("N-204 without a proxy the failure is told once, and the envelope waits for one", async () => {
    const { bench, a, b, channel, proxy, got, failed, dispatched } = start();
    const text = bench.post(channel, a);
    expect(failed).toEqual([`${b}: no remote proxy for scheme 'a2a'`]);
    expect(dispatched).toEqual([1]);
    bench.delivery.registerRemoteProxy(proxy);
    await settle();
    expect(got).toEqual([`${b} ${text.envelope_id}`]);
    expect(failed).toHaveLength(1);
  });
});
