import { createHubClient, createScriptedAgent, isClientError } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import {
  createPassport,
  createResume,
  createRule,
  type Envelope,
  EV_TEXT,
  NotFoundError,
} from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { connectBare } from "../fixtures/bare-link.js";
import {
  startTestNetwork,
  type TestNetwork,
  TRANSPORTS,
  textsOf,
} from "../fixtures/test-network.js";
import { watchBindings } from "../fixtures/watch-bindings.js";

/** A, B and C on one hub client, in a discussion that A has opened. */
async function discussionOnOneClient(network: TestNetwork) {
  const on = network.connect();
  const a = await network.ackOnly("ada", { on });
  const b = await network.ackOnly("bob", { on });
  const c = await network.ackOnly("cleo", { on });
  const channel = await a.open({ type: "discussion", target: ["bob", "cleo"] });
  const { channelId } = channel;
  const textsAt = (member: typeof a) => textsOf(member.channelInbox(channelId).peek());
  return { a, b, c, channel, textsAt };
}

describe.each(TRANSPORTS)("several agents on one hub client over %s", (transport) => {
  it("N-178 are bound to one endpoint, and nobody else is", async () => {
    await using network = await startTestNetwork({ transport });
    const endpoints = watchBindings(network.hub);
    const on = network.connect();
    const members = [];
    for (const name of ["ada", "bob", "cleo"]) members.push(await network.ackOnly(name, { on }));
    const other = await network.ackOnly("dan");
    const ids = members.map(({ agentId }) => agentId);
    const endpoint = endpoints.get(ids[0] ?? "");
    expect(endpoint).toMatch(/./);
    const there = [...endpoints].filter(([, id]) => id === endpoint).map(([agentId]) => agentId);
    expect(there).toEqual(ids);
    expect(endpoints.get(other.agentId)).not.toBe(endpoint);
  });

  it("N-179 only the one who is addressed gets it, once", async () => {
    await using network = await startTestNetwork({ transport });
    const { a, b, c, channel, textsAt } = await discussionOnOneClient(network);
    await channel.send("for bob", { audience: [b.agentId] });
    // A later text to everybody arrives behind whatever else the first one might have led to.
    await (await b.channel(channel.channelId)).send("for all");
    await until(() => [a, c].every((member) => textsAt(member).includes("for all")));
    expect(textsAt(b)).toEqual(["for bob"]);
    expect(textsAt(a)).toEqual(["for all"]);
    expect(textsAt(c)).toEqual(["for all"]);
  });

  it("N-180 everybody but the sender gets what is for all", async () => {
    await using network = await startTestNetwork({ transport });
    const { a, b, c, channel, textsAt } = await discussionOnOneClient(network);
    await channel.send("for all");
    await (await b.channel(channel.channelId)).send("for all too");
    await until(() => [a, c].every((member) => textsAt(member).includes("for all too")));
    expect(textsAt(b)).toEqual(["for all"]);
    expect(textsAt(c)).toEqual(["for all", "for all too"]);
    expect(textsAt(a)).toEqual(["for all too"]);
  });

  it("N-181 nobody can be registered through one that is closed", async () => {
    await using network = await startTestNetwork({ transport });
    const on = network.connect();
    await on.close();
    const registered = on.register(createScriptedAgent("ada"));
    await expect(registered).rejects.toSatisfy(isClientError);
    await expect(registered).rejects.toThrow("closed");
    expect(await network.hub.listAgents()).toEqual([]);
  });
});

describe("a hello over a socket", () => {
  const registerAda = ({ hub }: TestNetwork) =>
    hub.registerIdentity({
      ...{ passport: createPassport({ name: "ada" }), resume: createResume() },
      rule: createRule(),
    });

  it("N-182 is answered with the endpoint's id, which the client takes for its own", async () => {
    await using network = await startTestNetwork({ transport: "ws" });
    const endpoints = watchBindings(network.hub);
    const { agent_id } = await registerAda(network);
    const on = network.connect();
    const ada = await on.attach(createScriptedAgent("ada"), "ada");
    expect(ada.agentId).toBe(agent_id);
    expect(on.endpointId).not.toBe("");
    expect(on.endpointId).toBe(endpoints.get(ada.agentId));
  });

  it("N-182 is answered on a bare socket too", async () => {
    await using network = await startTestNetwork({ transport: "ws" });
    const endpoints = watchBindings(network.hub);
    const { agent_id } = await registerAda(network);
    using bare = await connectBare(network.link());
    const welcome = await bare.hello("ada");
    expect(welcome).toMatchObject({ kind: "welcome", endpoint_id: expect.stringMatching(/./) });
    expect(welcome).toHaveProperty("endpoint_id", endpoints.get(agent_id ?? ""));
  });
});

describe("hub clients that have only an address", () => {
  const dial = (network: TestNetwork) => createHubClient({ link: createNodeLink(network.url) });

  it("N-183 register and discover agents", async () => {
    await using network = await startTestNetwork();
    await using first = dial(network);
    await using second = dial(network);
    const resume = { claimed_capabilities: ["math"] };
    const ada = await first.register(createScriptedAgent("ada"), { resume });
    await second.register(createScriptedAgent("bob"));
    expect([first.remote, second.remote]).toEqual([true, true]);
    expect((await second.getAgent("ada")).agent_id).toBe(ada.agentId);
    const able = await second.listAgents({ capability: "math" });
    expect(able.map(({ agent_id }) => agent_id)).toEqual([ada.agentId]);
  });

  it("N-184 get the hub's own error", async () => {
    await using network = await startTestNetwork();
    await using client = dial(network);
    const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => null,
        (error: unknown) => error,
      );
    const here = await errorOf(network.hub.getAgent("nobody"));
    const there = await errorOf(client.getAgent("nobody"));
    expect(here).toBeInstanceOf(NotFoundError);
    expect(there).toBeInstanceOf(NotFoundError);
    expect(there).toHaveProperty("message", (here as Error).message);
  });

  it("N-185 run turns and post the answers", async () => {
    await using network = await startTestNetwork({ transport: "ws" });
    const { client: a } = await network.agent("ada");
    const { client: b } = await network.agent("bob", ["an answer"]);
    expect(a.hub).not.toBe(b.hub);
    const channel = await a.open({ type: "discussion", target: "bob" });
    const { channelId } = channel;
    await channel.send("a question");
    const lines = async () => (await network.wal(channelId)).filter(isText);
    await until(async () => (await lines()).length === 2);
    expect((await lines()).map(({ sender_id }) => sender_id)).toEqual([a.agentId, b.agentId]);
    expect(await network.texts(channelId)).toEqual(["a question", "an answer"]);
  });

  it("N-186 keep checkpoints of tasks at the hub", async () => {
    await using network = await startTestNetwork();
    await using client = dial(network);
    await client.register(createScriptedAgent("ada"));
    const state = { step: 3, plan: { next: ["b", "c"], done: { a: true } } };
    expect(await client.readTaskCheckpoint("task-1")).toBeNull();
    await client.checkpointTask("task-1", state);
    expect(await client.readTaskCheckpoint("task-1")).toEqual(state);
  });
});

function isText({ event_type }: Envelope): boolean {
  return event_type === EV_TEXT;
}
