import { createScriptedAgent, registerDirect } from "@colloquy/client";
import type { TurnFailure } from "@colloquy/hub";
import { EV_CHANNEL_CLOSED, NotFoundError } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startTestNetwork, TRANSPORTS, textsOf } from "../fixtures/test-network.js";

describe.each(TRANSPORTS)("inboxes and failing handlers over %s", (transport) => {
  it("N-012 who opens a channel has its inbox at once", async () => {
    await using network = await startTestNetwork({ transport });
    const a = await network.ackOnly("ada");
    await network.ackOnly("bob");
    const { channelId } = await a.open({ type: "consulting", target: "bob" });
    expect(a.hasChannelInbox(channelId)).toBe(true);
  });

  it("N-013 a channel's inbox is the same object each time it is asked for", async () => {
    await using network = await startTestNetwork({ transport });
    const a = await network.ackOnly("ada");
    const inbox = a.channelInbox("some-channel");
    expect(a.channelInbox("some-channel")).toBe(inbox);
    expect(a.hasChannelInbox("some-channel")).toBe(true);
  });

  it("N-014 what came before the wait for it is still there", async () => {
    await using network = await startTestNetwork({ transport });
    const { client: a } = await network.agent("ada");
    await network.agent("bob", ["an answer"]);
    const channel = await a.open({ type: "consulting", target: "bob" });
    const { channelId } = channel;
    await channel.send("a question");
    const isEnd = ({ event_type }: { event_type: string }) => event_type === EV_CHANNEL_CLOSED;
    await until(() => a.channelInbox(channelId).peek().some(isEnd));

    const closed = await a.waitForChannelEvent(channelId, isEnd, 1);
    expect(closed.event_data["reason"]).toBe("consulting_complete");
  });

  it("N-023 a model that throws costs its turn and not the channel", async () => {
    await using network = await startTestNetwork({ transport });
    const failures: TurnFailure[] = [];
    network.hub.addListener({ onTurnFailed: (failure) => failures.push(failure) });
    const a = await network.ackOnly("ada");
    const b = await network.agent("bob", ({ input }) => {
      if (input === "first") throw new Error("the model is down");
      return "answer to the second";
    });
    const channel = await a.open({ type: "conversation", target: "bob" });
    const first = await channel.send("first");
    await until(() => failures.length > 0);
    expect(failures[0]).toEqual({
      ...{ channel_id: channel.channelId, agent_id: b.client.agentId, envelope_id: first },
      error: expect.stringContaining("the model is down"),
    });

    await channel.send("second");
    await until(async () => (await network.texts(channel.channelId)).length === 3);
    const said = ["first", "second", "answer to the second"];
    expect(await network.texts(channel.channelId)).toEqual(said);
    expect((await channel.info()).state).toBe("active");
  });

  it("N-024 a handler that throws keeps nothing from the inbox and ends no receiving", async () => {
    await using network = await startTestNetwork({ transport });
    const a = await network.ackOnly("ada");
    const b = await network.ackOnly("bob");
    const channel = await a.open({ type: "conversation", target: "bob" });
    const handled: string[] = [];
    b.onEnvelope((envelope) => {
      handled.push(...textsOf([envelope]));
      throw new Error("always");
    });
    await channel.send("one");
    await until(() => handled.length > 0);
    await channel.send("two");
    await until(() => handled.includes("two"));
    const inbox = b.channelInbox(channel.channelId).peek();
    expect(textsOf(inbox)).toEqual(["one", "two"]);
    expect(b.status).toBe("active");
  });
});

describe.each(TRANSPORTS)("the life of clients over %s", (transport) => {
  it("N-015 a hub client ends with the scope that uses it", async () => {
    await using network = await startTestNetwork({ transport });
    const given = network.connect();
    {
      await using inside = given;
      await inside.connect();
      expect(inside.isClosed).toBe(false);
    }
    expect(given.isClosed).toBe(true);
    await expect(given.closed).resolves.toBeDefined();
  });

  it("N-016 an agent client takes its agent out of the registry when its scope ends", async () => {
    await using network = await startTestNetwork({ transport });
    const { hub } = network;
    const given = await network.ackOnly("ada");
    {
      await using inside = given;
      expect((await hub.getAgent(inside.agentId)).name).toBe("ada");
      expect(inside.status).toBe("active");
    }
    expect(given.status).toBe("unregistered");
    await expect(given.open({ type: "conversation", target: "ada" })).rejects.toThrow(
      "disconnected",
    );
    await expect(hub.getAgent(given.agentId)).rejects.toThrow(NotFoundError);
  });

  it("N-022 closing one agent of a shared hub client leaves the other and the client", async () => {
    await using network = await startTestNetwork({ transport });
    const on = network.connect();
    const [a, b] = [await network.ackOnly("ada", { on }), await network.ackOnly("bob", { on })];
    await a.close();
    await expect(network.hub.getAgent(a.agentId)).rejects.toThrow(NotFoundError);
    expect(on.isClosed).toBe(false);
    expect((await network.hub.getAgent("bob")).agent_id).toBe(b.agentId);
    expect(b.status).toBe("active");
    expect(await on.findAgentId("bob")).toBe(b.agentId);
  });
});

describe("agents that are registered on the hub itself", () => {
  const register = async (hub: Parameters<typeof registerDirect>[0], name: string) =>
    registerDirect(hub, createScriptedAgent(name));

  it("N-017 a hub may be closed twice", async () => {
    await using network = await startTestNetwork();
    await network.hub.close();
    await expect(network.hub.close()).resolves.toBeUndefined();
    await expect(network.hub.closed).resolves.toBeUndefined();
  });

  it("N-018 each gets a hub client of its own, and they converse", async () => {
    await using network = await startTestNetwork();
    await using a = await register(network.hub, "ada");
    await using b = await register(network.hub, "bob");
    expect(a.hub).not.toBe(b.hub);
    const channel = await a.open({ type: "conversation", target: "bob" });
    expect(channel.state).toBe("active");
    expect((await network.hub.getChannel(channel.channelId)).state).toBe("active");
  });

  it("N-019 their hub clients end with the hub", async () => {
    await using network = await startTestNetwork();
    const a = await register(network.hub, "ada");
    expect(a.hub.isClosed).toBe(false);
    await network.hub.close();
    await a.hub.closed;
    expect(a.hub.isClosed).toBe(true);
    expect((await a.stopped).reason).toBe("hub_closed");
  });

  it("N-020 N-021 their hub clients end with the agent, once", async () => {
    await using network = await startTestNetwork();
    const a = await register(network.hub, "ada");
    await a.close();
    await expect(network.hub.getAgent(a.agentId)).rejects.toThrow(NotFoundError);
    expect(a.hub.isClosed).toBe(true);
    await expect(a.close()).resolves.toBeUndefined();
    expect(a.status).toBe("unregistered");
    expect(a.hub.isClosed).toBe(true);
  });
});
