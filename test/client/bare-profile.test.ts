import { createHubClient, createScriptedAgent, type HubClient } from "@colloquy/client";
import { followChannel } from "@colloquy/client/live";
import { createNodeLink } from "@colloquy/client/node";
import { EV_CHANNEL_CLOSED, EV_TEXT, type Link } from "@colloquy/protocol";
import { faultyLink, until } from "@colloquy/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { startTestNetwork, type TestNetwork } from "../fixtures/test-network.js";

const open: HubClient[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

/** A client that speaks what AG2's own clients speak. */
function bareClient(network: TestNetwork, wrap: (link: Link) => Link = (link) => link): HubClient {
  const link = wrap(createNodeLink(network.url, { profile: "ag2" }));
  const client = createHubClient({ link, reconnect: { baseMs: 1, maxMs: 1 } });
  open.push(client);
  return client;
}

const isEnd = ({ event_type }: { event_type: string }) => event_type === EV_CHANNEL_CLOSED;

describe("a client on the bare profile", () => {
  it("F-069 stops as replaced when another connection takes its one agent, and does not fight back", async () => {
    await using network = await startTestNetwork({ transport: "ws" });
    const older = await bareClient(network).register(createScriptedAgent("ada", []));
    const bound: string[] = [];
    network.hub.addListener({
      onAgentEvent: (_id, kind, { endpoint_id }) => {
        if (kind === "bound") bound.push(String(endpoint_id));
      },
    });
    const newer = await bareClient(network).attach(createScriptedAgent("ada", ["42"]), "ada");
    expect((await older.stopped).reason).toBe("replaced");
    const human = await network.human("hugo");
    const channel = await human.open({ type: "consulting", target: "ada" });
    await channel.send("what?");
    await until(async () => (await network.texts(channel.channelId)).length === 2);
    expect(older.status).toBe("replaced");
    expect(newer.status).toBe("active");
    expect(new Set(bound).size).toBe(2);
  });

  it("runs tasks that the hub observes, and reads track records from resumes", async () => {
    await using network = await startTestNetwork({ transport: "ws" });
    const client = bareClient(network);
    const resume = { claimed_capabilities: ["art"] };
    const ada = await client.register(createScriptedAgent("ada", []), { resume });
    await ada.task({ title: "sums", capability: "math" }, { taskId: "t1" }, (task) =>
      task.cancel(),
    );
    await until(async () => "math" in (await network.hub.getResume(ada.agentId)).observed);
    const bare = await client.getTrackRecord(ada.agentId);
    const full = await network.hub.getTrackRecord(ada.agentId);
    expect(Object.keys(bare)).toEqual(["art", "math"]);
    expect(bare["math"]).toEqual({ ...full["math"], p95_latency_ms: null });
    expect(bare["math"]).toMatchObject({ n: 1, cancelled: 1, success_rate: null, claimed: false });
  });

  it("follows a channel without any piece of an answer, and what is for others stays hidden", async () => {
    await using network = await startTestNetwork({ transport: "ws" });
    await network.agent("ada", (turn) => {
      turn.onDelta("for");
      return "forty-two";
    });
    const ann = await network.human("ann");
    const hugo = await bareClient(network).registerHuman({ name: "hugo" });
    const pieces: unknown[] = [];
    hugo.onDelta((delta) => pieces.push(delta));
    const { channelId } = await ann.open({ type: "discussion", target: ["ada", "hugo"] });
    using feed = await followChannel(hugo, channelId);
    const states = new Set<string>();
    feed.onChange((changed) => {
      for (const { state } of changed) states.add(state);
    });
    const ada = (await network.hub.getAgent("ada")).agent_id ?? "";
    await ann.say(channelId, "how much?", { audience: [ada] });
    const said = () => feed.entries.flatMap(({ text }) => (text === "" ? [] : [text]));
    await until(() => said().length === 1);
    await hugo.say(channelId, "thanks");
    await until(() => said().length === 2);
    expect(said()).toEqual(["forty-two", "thanks"]);
    expect([...states]).toEqual(["complete"]);
    expect(pieces).toEqual([]);
    const positions = feed.entries.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => Number(a) - Number(b)));
  });

  it("registers, opens, takes turns with its own adapters and hears the end", async () => {
    await using network = await startTestNetwork({ transport: "ws" });
    const client = bareClient(network);
    const ada = await client.register(createScriptedAgent("ada", []));
    const bob = createScriptedAgent("bob", ["42"]);
    await bareClient(network).register(bob);
    const channel = await ada.open({ type: "consulting", target: "bob" });
    await channel.send("what?");
    const closed = await ada.waitForChannelEvent(channel.channelId, isEnd, 5_000);
    expect(closed.event_data["reason"]).toBe("consulting_complete");
    expect(client.profile).toBe("ag2");
    expect(await network.texts(channel.channelId)).toEqual(["what?", "42"]);
    expect(bob.turns[0]).toMatchObject({ input: "what?", history: [], attempt: 1 });
    expect(await client.adapterState(channel.channelId)).toEqual(
      await network.hub.adapterState(channel.channelId),
    );
    const whole = await client.readWal(channel.channelId);
    expect(whole).toEqual(await network.wal(channel.channelId));
    expect(await client.readPage(channel.channelId, { last: 2 })).toMatchObject({
      envelopes: whole.slice(-2),
      head: whole.length,
      next: null,
    });
  });

  it("gives a turn the same facts as Colloquy's own profile", async () => {
    await using network = await startTestNetwork({ transport: "ws" });
    const client = bareClient(network);
    const human = await network.human("hugo");
    const ada = await client.register(createScriptedAgent("ada", []), {
      onEnvelope: (envelope, agent, delivery) =>
        envelope.event_type === EV_TEXT
          ? undefined
          : agent.defaultHandler(envelope, agent, delivery),
    });
    const { channelId } = await human.open({ type: "conversation", target: "ada" });
    let last = "";
    for (const text of ["1", "2", "3", "4"]) last = await human.say(channelId, text);
    const question = {
      channel_id: channelId,
      agent_id: ada.agentId,
      envelope_id: last,
    };
    for (const window of [null, 2, 0]) {
      const { slice, ...facts } = await network.hub.prepareTurn({ ...question, last: window });
      expect(await client.prepareTurn({ ...question, last: window })).toEqual({
        ...facts,
        envelopes: slice.envelopes,
        left_out: slice.left_out,
      });
    }
    const hugo = (await client.findAgentId("hugo")) ?? "";
    expect(await client.handlesFor([hugo, "0".repeat(32)])).toEqual({ [hugo]: "hugo" });
    expect(await client.resolveNames(["hugo", "nobody"])).toEqual({
      hugo: human.agentId,
      nobody: null,
    });
    await expect(client.health()).rejects.toMatchObject({ code: "client/unsupported" });
  });

  it("F-029 has the first answer in the history of a second turn that was asked meanwhile", async () => {
    await using network = await startTestNetwork({ transport: "ws" });
    const human = await network.human("hugo");
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const ada = createScriptedAgent("ada", async ({ input }) => {
      await asked;
      return `answer to ${String(input)}`;
    });
    await bareClient(network).register(ada);
    const { channelId } = await human.open({ type: "conversation", target: "ada" });
    await human.say(channelId, "one");
    await human.say(channelId, "two");
    answer();
    await until(async () => (await network.texts(channelId)).length === 4);
    expect(ada.turns[1]?.history.map(({ role, content }) => [role, content])).toEqual([
      ["user", "one"],
      ["assistant", "answer to one"],
    ]);
  });

  it("asks the log before it posts an answer again whose request was lost", async () => {
    await using network = await startTestNetwork({ transport: "ws" });
    const link = faultyLink(createNodeLink(network.url, { profile: "ag2" }));
    const client = bareClient(network, () => link);
    const human = await network.human("hugo");
    let asked = 0;
    await client.register(createScriptedAgent("ada", () => `answer ${++asked}`));
    const { channelId } = await human.open({ type: "conversation", target: "ada" });

    const isPost = (frame: object) => JSON.stringify(frame).includes("answer 1");
    link.drop("to_hub", 1, isPost);
    await human.say(channelId, "one");
    await until(() => asked === 1);
    await until(() => link.dropped === 1);
    link.cut();
    await until(async () => (await network.texts(channelId)).length === 2);

    link.drop("to_client", 1, ({ kind }) => kind === "response" && asked === 2);
    await human.say(channelId, "two");
    await until(async () => (await network.texts(channelId)).length === 4);
    await until(() => link.dropped === 2);
    link.cut();
    await human.say(channelId, "three");
    await until(async () => (await network.texts(channelId)).length === 6);
    expect(await network.texts(channelId)).toEqual([
      ...["one", "answer 1", "two", "answer 2", "three", "answer 3"],
    ]);
  });
});
