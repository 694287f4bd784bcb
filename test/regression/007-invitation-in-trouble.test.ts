import { createDefaultAdapters } from "@colloquy/adapters";
import {
  createHubClient,
  createLocalLink,
  createScriptedAgent,
  type HubClient,
} from "@colloquy/client";
import { openHub } from "@colloquy/hub";
import { EV_CHANNEL_INVITE, EV_CHANNEL_INVITE_ACK } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, faulty, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";

async function openNetwork() {
  const clock = createFakeClock();
  const store = faulty(createMemoryStore());
  const hub = await openHub({ store, clock, adapters: createDefaultAdapters() });
  const client = createHubClient({ link: createLocalLink(hub), clock });
  const a = await client.register(createScriptedAgent("a"));
  return { clock, store, hub, client, a };
}

const join = {
  agent: (client: HubClient) => client.register(createScriptedAgent("b")),
  person: (client: HubClient) => client.registerHuman({ name: "b" }),
};

describe.each(["agent", "person"] as const)("an invitation to an %s", (kind) => {
  it("that cannot be accepted because the store fails is accepted a little later", async () => {
    const { clock, store, hub, client, a } = await openNetwork();
    await join[kind](client);
    hub.addListener({
      onEnvelopePosted({ event_type }) {
        if (event_type === EV_CHANNEL_INVITE) store.failNext("commit");
      },
    });
    const opening = a.open({ type: "conversation", target: "b" });
    await clock.advanceAsync(5_000);
    const channel = await opening;
    expect(channel.state).toBe("active");
    const wal = await hub.readWal(channel.channelId);
    expect(wal.filter(({ event_type }) => event_type === EV_CHANNEL_INVITE_ACK)).toHaveLength(1);
    await client.close();
    await hub.close();
  });

  it("to a channel that is over is settled", async () => {
    const { clock, hub, client, a } = await openNetwork();
    const b = await join[kind](client);
    b.disconnect();
    const opening = expect(a.open({ type: "conversation", target: "b" })).rejects.toThrow("closed");
    await settle();
    const [metadata] = await hub.listChannels();
    const channelId = metadata?.channel_id ?? "";
    await hub.closeChannel(channelId);
    await opening;
    if (kind === "agent") await client.attach(createScriptedAgent("b"), "b");
    else await client.attachHuman("b");
    await clock.advanceAsync(60_000);
    const [invite] = await hub.readWal(channelId);
    const [line] = hub.ledger(channelId, invite?.envelope_id ?? "");
    expect(line).toMatchObject({ recipient_id: b.agentId, state: "acknowledged" });
    await client.close();
    await hub.close();
  });
});
