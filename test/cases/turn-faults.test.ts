import { dumpGraph, roundRobinGraph, sequenceGraph, type WorkflowState } from "@colloquy/adapters";
import type { AgentClient } from "@colloquy/client";
import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CONTEXT_SET,
  EV_PACKET,
  EV_TEXT,
  ProtocolError,
} from "@colloquy/protocol";
import { type FaultyLink, faulty, faultyLink, settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import {
  SURROUNDINGS,
  startTestNetwork,
  type TestNetwork,
  TRANSPORTS,
} from "../fixtures/test-network.js";

/** A workflow of agents that closes behind the last of them. */
async function sequence(network: TestNetwork, opener: AgentClient, others: AgentClient[]) {
  const ids = [opener, ...others].map(({ agentId }) => agentId);
  const graph = JSON.parse(dumpGraph(sequenceGraph(ids))) as Record<string, unknown>;
  const target = others.map(({ name }) => name);
  const { channelId, send } = await opener.open({ type: "workflow", target, knobs: { graph } });
  const events = async () => (await network.wal(channelId)).map(({ event_type }) => event_type);
  return { channelId, send, events };
}

describe.each(SURROUNDINGS)("a workflow that ends, $transport, $store", (surroundings) => {
  it("F-018 closes behind the turn that ends it, and who comes too late is told so", async () => {
    await using network = await startTestNetwork(surroundings);
    const ada = await network.ackOnly("ada");
    const bob = await network.ackOnly("bob");
    const cleo = await network.agent("cleo", ({ input }) => `cleo heard ${String(input)}`);
    for (let round = 0; round < 20; round += 1) {
      const { channelId, send, events } = await sequence(network, ada, [bob]);
      await send("the first part");
      const late = ["x", "y", "z"].map((key) =>
        ada.channel(channelId).then((c) => c.setContext({ [key]: 1 })),
      );
      const bobs = await bob.channel(channelId);
      const outcomes = await Promise.allSettled([bobs.send("the last part"), ...late]);
      const refused = outcomes.flatMap((o) =>
        o.status === "rejected" ? [o.reason as unknown] : [],
      );
      for (const error of refused) {
        expect(error).toBeInstanceOf(ProtocolError);
        expect(error).toMatchObject({
          message: expect.stringContaining(`'${channelId}' is closed`),
        });
      }
      const closing = (await events()).slice(-2);
      expect(closing).toEqual([EV_TEXT, EV_CHANNEL_CLOSED]);
      const admitted = (await events()).filter((type) => type === EV_CONTEXT_SET);
      expect(admitted).toHaveLength(late.length - refused.length);
      await expect(bobs.send("even later")).rejects.toThrow("is closed");
    }

    const { channelId, send } = await sequence(network, ada, [bob, cleo.client]);
    await send("one");
    await (await bob.channel(channelId)).send("two");
    await ada.waitForChannelEvent(channelId, ({ event_type }) => event_type === EV_CHANNEL_CLOSED);
    expect(await ada.consult("cleo", "after the end")).toBe("cleo heard after the end");
    expect(cleo.script.turns.map(({ input }) => input)).toEqual(["[bob]: two", "after the end"]);
  });

  it("F-018 an envelope that waits behind the one that ends it is refused, not lost", async () => {
    let store: ReturnType<typeof faulty> | null = null;
    await using network = await startTestNetwork({
      ...surroundings,
      wrapStore(inner) {
        store = faulty(inner);
        return store;
      },
    });
    const [ada, bob] = [await network.ackOnly("ada"), await network.ackOnly("bob")];
    const { channelId, send, events } = await sequence(network, ada, [bob]);
    await send("the first part");
    const gate = (store as ReturnType<typeof faulty> | null)?.block("commit");
    const bobs = await bob.channel(channelId);
    const ending = bobs.send("the last part");
    await until(() => network.hub.health().staged_envelopes === 2);
    const inFlight = (await ada.channel(channelId)).setContext({ x: 1 });
    await expect(inFlight).rejects.toThrow("is closed");
    gate?.release();
    await ending;
    expect((await events()).slice(-2)).toEqual([EV_TEXT, EV_CHANNEL_CLOSED]);
    expect((await network.hub.getChannel(channelId)).close_reason).toBe("sequence_complete");
  });
});

describe.each(TRANSPORTS)("an audience over %s", (transport) => {
  it("F-031 one who is listed twice is asked once, and nobody else is asked at all", async () => {
    await using network = await startTestNetwork({ transport });
    const hugo = await network.human("hugo");
    const [b, c, d] = [
      await network.agent("bob", () => null),
      await network.agent("cleo", () => "cleo"),
      await network.agent("dan", () => "dan"),
    ];
    const { channelId } = await hugo.open({
      ...{ type: "discussion", target: ["bob", "cleo", "dan"] },
      knobs: { on_silence: "wait" },
    });
    const { agentId } = b.client;
    const asked = await hugo.say(channelId, "bob?", { audience: [agentId, agentId] });
    await until(() => network.hub.inboxCursor(agentId, channelId) === asked);
    // Whatever the others might have been handed comes before what they are asked now.
    for (const name of ["bob", "cleo", "dan"]) {
      const other = await hugo.open({ type: "conversation", target: name });
      await hugo.say(other.channelId, "are you there?");
    }
    await until(() =>
      [b, c, d].every(({ script }) => script.turns.at(-1)?.input === "are you there?"),
    );
    expect([b, c, d].map(({ script }) => script.turns.map(({ input }) => input))).toEqual([
      ["[hugo]: bob?", "are you there?"],
      ["are you there?"],
      ["are you there?"],
    ]);
    expect((await network.wal(channelId)).at(-1)?.audience).toEqual([agentId]);
    const lines = network.hub.ledger(channelId, asked);
    expect(lines.map(({ recipient_id, state }) => [recipient_id, state])).toEqual([
      [agentId, "acknowledged"],
    ]);
  });
});

describe.each(TRANSPORTS)("one agent in two workflows over %s", (transport) => {
  it("F-045 has in each turn the variables and tools of its own channel, a hundred times", async () => {
    await using network = await startTestNetwork({ transport });
    const rounds = 100;
    const mixed: unknown[] = [];
    const { client: ada } = await network.agent(
      "ada",
      async ({ context, input, tools, channel }) => {
        const { context_vars } = context.state as WorkflowState;
        const own = { of: channel.labels["of"], round: Number(String(input).split(" ").at(-1)) };
        const offered = tools.map(({ name }) => name);
        const isOwn = context_vars["of"] === own.of && context_vars["round"] === own.round;
        if (!isOwn || context.channel.channelId !== channel.channel_id) mixed.push(context_vars);
        if (offered.length > 0) mixed.push(offered);
        // Both turns are under way before either ends.
        await settle(own.of === "ann" ? 3 : 1);
        return `${String(own.of)} ${own.round}`;
      },
      // A workflow has no tools of its own, and these are the same everywhere.
      { networkTools: false },
    );
    const open = async (name: string) => {
      const speaker = await network.human(name);
      const ids = [speaker.agentId, ada.agentId];
      const graph = JSON.parse(dumpGraph(roundRobinGraph(ids, 2 * rounds + 2)));
      const { channelId, setContext } = await speaker.open({
        ...{ type: "workflow", target: "ada", knobs: { graph }, labels: { of: name } },
      });
      return { speaker, channelId, setContext, name };
    };
    const flows = [await open("ann"), await open("bea")];
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(flows.map(({ setContext, name }) => setContext({ of: name, round })));
      await Promise.all(flows.map((f) => f.speaker.say(f.channelId, `${f.name} ${round}`)));
      await until(async () => {
        const states = await Promise.all(flows.map((f) => network.hub.adapterState(f.channelId)));
        return states.every(({ state }) => (state as WorkflowState).turn_count === 2 * round + 2);
      });
    }
    expect(mixed).toEqual([]);
    for (const { channelId, name } of flows) {
      const said = (await network.wal(channelId)).flatMap(
        ({ sender_id, event_type, event_data }) =>
          sender_id === ada.agentId && event_type === EV_PACKET ? [event_data["body"]] : [],
      );
      expect(said).toEqual(Array.from({ length: rounds }, (_, round) => `${name} ${round}`));
    }
  });
});

const MEMBERS = 10;
const POSTS = 100;
const SIZES = [10, 10, 100, 100, 1_000, 1_000, 10_000];

/** Bytes of one post: mostly small, one in a hundred as large as may be. */
const sizeOf = (member: number, round: number): number =>
  round === member * 7 ? 500 * 1024 : (SIZES[(member * 3 + round * 5) % SIZES.length] ?? 10);

describe.each(SURROUNDINGS)("ten who post at once, $transport, $store", (surroundings) => {
  it("F-034 are all handed the order of the log, live and on catching up", {
    timeout: 120_000,
  }, async () => {
    await using network = await startTestNetwork({
      ...surroundings,
      client: { reconnect: { baseMs: 1, maxMs: 10 } },
    });
    const rule = { limits: { inbox: { max_pending: 0 } } };
    const handed: string[][] = [];
    const links: FaultyLink[] = [];
    const members: AgentClient[] = [];
    for (let n = 0; n < MEMBERS; n += 1) {
      const link = faultyLink(network.link());
      const got: string[] = [];
      const slow = n % 3;
      const member = await network.ackOnly(`agent-${n}`, { rule, on: network.connect({ link }) });
      const accept = member.defaultHandler;
      member.onEnvelope(async (envelope, ...rest) => {
        if (envelope.event_type === EV_CONTEXT_SET) {
          await settle((got.length * 7) % (1 + slow * 3));
          got.push(envelope.envelope_id);
        } else await accept(envelope, ...rest);
      });
      members.push(member);
      links.push(link);
      handed.push(got);
    }
    const [opener, ...others] = members as [AgentClient, ...AgentClient[]];
    const { channelId } = await sequence(network, opener, others);

    const postAll = async (rounds: readonly number[]) =>
      Promise.all(
        members.flatMap((member, n) =>
          rounds.map((round) =>
            member.send({
              ...{ channel_id: channelId, event_type: EV_CONTEXT_SET },
              event_data: { set: { [member.name]: `${round} `.padEnd(sizeOf(n, round), "x") } },
            }),
          ),
        ),
      );
    const half = Array.from({ length: POSTS / 2 }, (_, round) => round);
    await postAll(half);
    const [away, link] = [MEMBERS - 1, links[MEMBERS - 1]];
    link?.refuse(1_000_000);
    link?.cut();
    const later = half.map((round) => round + POSTS / 2);
    const posted = postAll(later);
    // The one who is away says its part when it is back, amid the catch-up.
    await until(async () => countOf(await network.wal(channelId)) >= MEMBERS * POSTS - POSTS / 2, {
      timeoutMs: 60_000,
    });
    link?.allow();
    await posted;

    const log = (await network.wal(channelId)).filter((e) => e.event_type === EV_CONTEXT_SET);
    expect(log).toHaveLength(MEMBERS * POSTS);
    await until(() => handed.every((got) => got.length >= log.length - POSTS), {
      timeoutMs: 60_000,
    });
    for (const [n, member] of members.entries()) {
      const due = log.filter(({ sender_id }) => sender_id !== member.agentId);
      expect([n, handed[n]]).toEqual([n, due.map(({ envelope_id }) => envelope_id)]);
    }
    expect(links[away]?.dials).toBeGreaterThan(1);
    const { context_vars } = (await network.hub.adapterState(channelId)).state as WorkflowState;
    expect(Object.keys(context_vars)).toHaveLength(MEMBERS);
  });
});

const countOf = (wal: readonly Envelope[]): number =>
  wal.filter(({ event_type }) => event_type === EV_CONTEXT_SET).length;
