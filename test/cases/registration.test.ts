import { createScriptedAgent, isClientError, registerDirect } from "@colloquy/client";
import type { HubListener } from "@colloquy/hub";
import { EV_TEXT, NotFoundError, ProtocolError } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { startTestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

const STRANGER = "0".repeat(32);
const text = (channel_id: string, sender_id: string) => ({
  ...{ channel_id, sender_id, event_type: EV_TEXT, event_data: { text: "hello" } },
});

/** What reaches the hub, admitted or not. */
function watchPosts() {
  const senders: string[] = [];
  const listener: HubListener = {
    onEnvelopePosted: ({ sender_id }) => senders.push(sender_id),
    onEnvelopeRejected: ({ sender_id }) => senders.push(sender_id),
  };
  return { senders, listener };
}

describe.each(TRANSPORTS)("registration, clients over %s", (transport) => {
  it("N-001 an envelope from nobody the hub knows is refused", async () => {
    await using network = await startTestNetwork({ transport });
    await expect(network.hub.postEnvelope(text(STRANGER, STRANGER))).rejects.toThrow(NotFoundError);
  });

  it("N-002 who has unregistered can send no more, and is forgotten", async () => {
    await using network = await startTestNetwork({ transport });
    const [a, b] = [await network.ackOnly("ada"), await network.ackOnly("bob")];
    const channel = await a.open({ type: "conversation", target: "bob" });
    const { senders, listener } = watchPosts();
    await a.unregister();
    network.hub.addListener(listener);

    const error = await channel.send("one more").catch((reason: unknown) => reason);
    expect(isClientError(error)).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining("disconnected") });
    expect(senders).toEqual([]);
    await expect(network.hub.getAgent(a.agentId)).rejects.toThrow(NotFoundError);
    const listed = await network.hub.listAgents();
    expect(listed.map(({ agent_id }) => agent_id)).toEqual([b.agentId]);
  });

  it("N-005 of three registrations of one name at once exactly one stands", async () => {
    await using network = await startTestNetwork({ transport });
    const on = network.connect();
    const tries = await Promise.allSettled([1, 2, 3].map(() => network.ackOnly("ada", { on })));
    const won = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const lost = tries.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(won).toHaveLength(1);
    expect(lost).toHaveLength(2);
    for (const reason of lost) {
      expect(reason).toBeInstanceOf(ProtocolError);
      expect(reason).toMatchObject({ message: expect.stringContaining("already registered") });
    }
    const listed = await network.hub.listAgents();
    expect(listed.map(({ agent_id }) => agent_id)).toEqual([won[0]?.agentId]);
    expect(on.participants.map(({ agentId }) => agentId)).toEqual([won[0]?.agentId]);
  });

  it("N-006 the id of somebody who has left is no sender", async () => {
    await using network = await startTestNetwork({ transport });
    const [a] = [await network.ackOnly("ada"), await network.ackOnly("bob")];
    const { channelId } = await a.open({ type: "conversation", target: "bob" });
    await a.unregister();
    const posted = network.hub.postEnvelope(text(channelId, a.agentId));
    await expect(posted).rejects.toThrow(NotFoundError);
    await expect(posted).rejects.toThrow("sender not registered");
  });
});

describe("registration on the hub itself", () => {
  it("N-007 gives a client of the agent that the hub then finds by name", async () => {
    await using network = await startTestNetwork();
    await using client = await registerDirect(network.hub, createScriptedAgent("ada"));
    const found = await network.hub.getAgent("ada");
    expect(found).toMatchObject({ agent_id: client.agentId, name: "ada" });
    expect(client.name).toBe("ada");
    expect(client.status).toBe("active");
  });

  it("N-008 takes the agent's own name where no passport is given", async () => {
    await using network = await startTestNetwork();
    await using client = await registerDirect(network.hub, createScriptedAgent("ada"));
    expect(client.passport.name).toBe("ada");
    expect((await network.hub.getAgent(client.agentId)).name).toBe("ada");
    expect(client.resume).toEqual(await network.hub.getResume(client.agentId));
  });
});
