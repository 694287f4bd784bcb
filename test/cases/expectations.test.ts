import { dumpGraph, sequenceGraph } from "@colloquy/adapters";
import {
  EV_CHANNEL_CLOSED,
  EV_EXPECTATION_VIOLATED,
  EV_PACKET,
  EV_TURN_REASSIGNED,
} from "@colloquy/protocol";
import { createFakeClock, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import {
  SURROUNDINGS,
  startTestNetwork,
  type TestNetworkOptions,
} from "../fixtures/test-network.js";

/** Three agents in a row, of which the second does not do its part; a turn may take a minute. */
async function openPipeline(
  surroundings: TestNetworkOptions,
  policy: string,
  second: () => Promise<string>,
) {
  const clock = createFakeClock();
  const network = await startTestNetwork({ ...surroundings, hub: { clock } });
  const ada = await network.ackOnly("ada");
  const bob = await network.agent("bob", second);
  const cleo = await network.agent("cleo", ({ input }) => `cleo was told: ${String(input)}`);
  const ids = [ada, bob.client, cleo.client].map(({ agentId }) => agentId);
  const graph = JSON.parse(dumpGraph(sequenceGraph(ids))) as Record<string, unknown>;
  const expectations = [{ name: "turn_within", on_violation: policy, params: { seconds: 60 } }];
  const { channelId, send } = await ada.open({
    ...{ type: "workflow", target: ["bob", "cleo"] },
    knobs: { graph, expectations },
    ttl: 0,
  });
  await send("step one");
  await until(() => bob.script.turns.length > 0, { describe: "bob's turn has begun" });
  const heard = (type: string) =>
    ada.waitForChannelEvent(channelId, ({ event_type }) => event_type === type);
  const audited = async (kind: string) =>
    (await network.hub.audit.readAll()).filter((record) => record.kind === kind);
  return { network, clock, ada, bob, cleo, channelId, heard, audited };
}

const throws = () => Promise.reject(new Error("out of credit"));
const neverReturns = () => new Promise<string>(() => undefined);

describe.each(SURROUNDINGS)("a pipeline whose second agent fails, $transport, $store", (where) => {
  it.each([
    ["throws", throws],
    ["never returns", neverReturns],
  ])(
    "F-019 its handler %s: the channel closes in time with a reason, and the initiator hears it",
    async (kind, second) => {
      const { network, clock, cleo, bob, channelId, heard, audited } = await openPipeline(
        where,
        "auto_close",
        second,
      );
      await using _network = network;
      if (kind === "throws") {
        await until(async () => (await audited("turn_failed")).length > 0);
        expect(await audited("turn_failed")).toMatchObject([
          { agent_id: bob.client.agentId, exc_message: expect.stringContaining("out of credit") },
        ]);
      }
      await clock.advanceAsync(59_999);
      expect((await network.hub.getChannel(channelId)).state).toBe("active");
      await clock.advanceAsync(1);
      const last = await heard(EV_CHANNEL_CLOSED);
      expect(last.event_data["reason"]).toBe("expectation_violated:turn_within");
      expect(await audited("expectation_violated")).toMatchObject([
        { violators: [bob.client.agentId], detail: { threshold_seconds: 60 } },
      ]);
      expect(cleo.script.turns).toEqual([]);
      expect(await network.texts(channelId)).toEqual(["step one"]);
    },
  );

  it("F-019 with notify_channel the channel waits, and the initiator is told who is late", async () => {
    const { network, clock, cleo, bob, channelId, heard } = await openPipeline(
      where,
      "notify_channel",
      neverReturns,
    );
    await using _network = network;
    await clock.advanceAsync(60_000);
    const notice = await heard(EV_EXPECTATION_VIOLATED);
    expect(notice.event_data).toMatchObject({
      ...{ expectation: "turn_within", violators: [bob.client.agentId] },
    });
    expect((await network.hub.getChannel(channelId)).state).toBe("active");
    expect(cleo.script.turns).toEqual([]);
  });

  it("F-019 with reassign the third agent takes the turn, and knows that nobody answered before it", async () => {
    const { network, clock, cleo, channelId, heard } = await openPipeline(
      where,
      "reassign",
      neverReturns,
    );
    await using _network = network;
    await clock.advanceAsync(60_000);
    await heard(EV_TURN_REASSIGNED);
    const answer = await until(async () =>
      (await network.wal(channelId)).find(({ event_type }) => event_type === EV_PACKET),
    );
    const [turn] = cleo.script.turns;
    expect(turn?.input).toContain("did not answer in time");
    expect(JSON.stringify(turn?.history)).toContain("step one");
    expect(answer).toMatchObject({
      ...{ sender_id: cleo.client.agentId, causation_id: turn?.envelope.envelope_id },
      event_data: { body: expect.stringContaining("cleo was told") },
    });
  });
});
