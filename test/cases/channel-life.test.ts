import { agentTarget, dumpGraph, fromSpeaker, stayTarget, transition } from "@colloquy/adapters";
import { EV_CHANNEL_CLOSED, EV_CHANNEL_CLOSING, EV_PACKET, EV_TEXT } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startTestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

describe.each(TRANSPORTS)("the life of a channel over %s", (transport) => {
  it("F-149 an operator's close ends the turn at once, drops what is queued and frees the agent", async () => {
    await using network = await startTestNetwork({ transport });
    const { hub } = network;
    const failed: string[] = [];
    hub.addListener({ onTurnFailed: ({ error }) => void failed.push(error) });
    const ada = await network.ackOnly("ada");
    const signals: AbortSignal[] = [];
    let release = (): void => undefined;
    const bob = await network.agent("bob", async ({ signal, input }) => {
      if (input !== "take your time") return `heard ${String(input)}`;
      signals.push(signal);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return "too late";
    });
    const channel = await ada.open({ type: "conversation", target: "bob" });
    const { channelId } = channel;
    await channel.send("take your time");
    await until(() => signals.length === 1);
    await channel.send("and this");
    await channel.send("and that");
    const closed = await hub.closeChannel(channelId, "operator_stop");
    expect(closed).toMatchObject({ state: "closed", close_reason: "operator_stop" });
    await until(() => signals[0]?.aborted === true);
    await until(() => failed.length === 2);
    expect(failed.every((text) => /^not begun: .*operator_stop/.test(text))).toBe(true);
    const before = (await network.wal(channelId)).length;
    release();
    const bobs = await bob.client.channel(channelId);
    await expect(bobs.send("still here")).rejects.toThrow(/is closed/);
    expect(await hub.pendingTurnsFor(bob.client.agentId)).toEqual([]);
    await until(() => hub.health().pending_inbox_total === 0);
    const other = await ada.open({ type: "consulting", target: "bob" });
    await other.send("are you free?");
    await until(async () => (await other.info()).state === "closed");
    const texts = (await network.wal(other.channelId)).flatMap(({ event_data }) =>
      typeof event_data["text"] === "string" ? [event_data["text"]] : [],
    );
    expect(texts).toEqual(["are you free?", "heard are you free?"]);
    expect(await network.wal(channelId)).toHaveLength(before);
    expect((await network.wal(channelId)).at(-1)?.event_type).toBe(EV_CHANNEL_CLOSED);
  });

  it("closing drain: takes the answer under way, nothing new, and closes when nothing is outstanding", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada");
    const answers: ((text: string) => void)[] = [];
    await network.agent("bob", () => new Promise<string>((resolve) => void answers.push(resolve)));
    const channel = await ada.open({ type: "conversation", target: "bob" });
    const { channelId } = channel;
    await channel.send("one question");
    await until(() => answers.length === 1);
    const closing = await channel.close("night", { drain: true });
    expect(closing).toMatchObject({ state: "closing", close_reason: "night" });
    await expect(channel.send("one more")).rejects.toThrow(/state=closing/);
    answers[0]?.("the last word");
    await until(async () => (await channel.info()).state === "closed");
    expect(channel.metadata).toMatchObject({ close_reason: "night" });
    expect(channel.metadata.wind_up).toBeUndefined();
    const events = (await network.wal(channelId)).map(({ event_type }) => event_type);
    expect(events.slice(-4)).toEqual([EV_TEXT, EV_CHANNEL_CLOSING, EV_TEXT, EV_CHANNEL_CLOSED]);
  });

  it("the stay target wakes the speaker again, until the graph's cap on turns", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada");
    const inputs: string[] = [];
    const bob = await network.agent("bob", ({ input }) => {
      inputs.push(String(input));
      return `part ${inputs.length}`;
    });
    const bobId = bob.client.agentId;
    const graph = JSON.parse(
      dumpGraph({
        initial_speaker: ada.agentId,
        transitions: [
          transition(fromSpeaker(ada.agentId), agentTarget(bobId)),
          transition(fromSpeaker(bobId), stayTarget()),
        ],
        default_target: stayTarget(),
        max_turns: 4,
      }),
    ) as Record<string, unknown>;
    const channel = await ada.open({ type: "workflow", target: "bob", knobs: { graph } });
    await channel.send("write three parts");
    await until(async () => (await channel.info()).state === "closed");
    expect(channel.metadata.close_reason).toBe("max_turns");
    const packets = (await network.wal(channel.channelId)).filter(
      ({ event_type }) => event_type === EV_PACKET,
    );
    expect(packets.map(({ event_data }) => event_data["body"])).toEqual([
      "part 1",
      "part 2",
      "part 3",
    ]);
    expect(packets.slice(1).map(({ causation_id }) => causation_id)).toEqual(
      packets.slice(0, -1).map(({ envelope_id }) => envelope_id),
    );
    expect(inputs[1]).toMatch(/your turn again/);
  });

  it("participants fixed for life: a late joiner sees what the knob history says, and takes its turn", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada");
    const bob = await network.ackOnly("bob");
    for (const history of ["full", "since_join"] as const) {
      const seen: string[] = [];
      const cleo = await network.agent(`cleo-${history}`, ({ history: shown, input }) => {
        seen.push(...shown.map(({ content }) => String(content)), String(input));
        return "noted";
      });
      const channel = await ada.open({ type: "discussion", target: "bob", knobs: { history } });
      const { channelId } = channel;
      await channel.send("before");
      await channel.invite(cleo.client.name);
      await until(async () => (await channel.info()).participants.length === 3);
      // The turn is Bob's; with his going it is hers.
      const bobs = await bob.channel(channelId);
      await bobs.leave("lunch");
      await until(async () =>
        (await network.wal(channelId)).some(({ event_data }) => event_data["text"] === "noted"),
      );
      expect(seen.some((text) => text.includes("before"))).toBe(history === "full");
      expect(seen.at(-1)).toMatch(/takes part no longer. It is your turn/);
      const page = await cleo.client.hub.readPage(channelId);
      const texts = page.envelopes.map(({ event_data }) => event_data["text"]);
      expect(texts.includes("before")).toBe(history === "full");
      const agent_id = cleo.client.agentId;
      const found = await cleo.client.hub.searchText(channelId, { agent_id, query: "BEFORE" });
      expect(found.envelopes.length).toBe(history === "full" ? 1 : 0);
      await expect(bob.hub.readPage(channelId)).rejects.toThrow(/not found/);
      await channel.close();
    }
  });

  it("parent_channel_id: what was opened in the course of a channel ends with it", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada");
    await network.ackOnly("bob");
    const parent = await ada.open({ type: "conversation", target: "bob" });
    const child = await ada.open({ type: "conversation", target: "bob", parent: parent.channelId });
    const grandchild = await ada.open({
      ...{ type: "conversation", target: "bob", parent: child.channelId },
    });
    await parent.close("done");
    await until(async () => (await grandchild.info()).state === "closed");
    expect((await child.info()).close_reason).toBe("parent_closed");
    expect(grandchild.metadata.close_reason).toBe("parent_closed");
    await expect(
      ada.open({ type: "conversation", target: "bob", parent: parent.channelId }),
    ).rejects.toThrow(/is closed/);
  });
});
