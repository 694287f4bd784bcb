import { createScriptedAgent } from "@colloquy/client";
import { EV_CHANNEL_INVITE } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startMeeting, textsOf, untilTexts } from "./harness/meeting.js";

describe("who takes part, with AG2's clients", () => {
  it("lets a Python agent in that is invited later, and goes on without it when it has left", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia", { script: [{ nth: "pia" }] });
    const client = meeting.client();
    let said = 0;
    await client.register(createScriptedAgent("tom", () => `tom ${++said}`));
    const hugo = await client.registerHuman({ name: "hugo" });
    const channel = await hugo.open({ type: "discussion", target: "tom" });
    const { channelId } = channel;
    await channel.send("hugo 1");
    await untilTexts(client, channelId, ["hugo 1", "tom 1"]);
    await channel.invite("pia");
    await until(async () => (await channel.info()).participants.length === 3);
    await channel.send("hugo 2");
    const texts = ["hugo 1", "tom 1", "hugo 2", "tom 2", "pia 1"];
    await untilTexts(client, channelId, texts);
    await channel.remove("pia", "no more");
    // Who takes no part is not told whether there is such a channel.
    await expect(pia.say(channelId, "still here")).rejects.toMatchObject({ type: "NotFoundError" });
    await channel.send("hugo 3");
    await untilTexts(client, channelId, [...texts, "hugo 3", "tom 3"]);
    await channel.send("hugo 4");
    await untilTexts(client, channelId, [...texts, "hugo 3", "tom 3", "hugo 4", "tom 4"]);
  });

  it("waits for a Python human who answers invitations by hand, and takes the no for one", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const hanna = await python.human("hanna", { auto_ack_invites: false });
    const tom = await meeting.client().register(createScriptedAgent("tom"));
    const answer = async (event_type: string, seen: number): Promise<void> => {
      const invite = await until(
        () =>
          python.notified.filter(({ envelope }) => envelope.event_type === EV_CHANNEL_INVITE)[seen],
      );
      const { channel_id, envelope_id } = invite.envelope;
      await hanna.say(channel_id, "", {
        ...{ event_type, causation_id: envelope_id },
        event_data: { channel_id, reason: "busy" },
      });
    };
    const refused = expect(tom.open({ type: "conversation", target: "hanna" })).rejects;
    const isRefused = refused.toThrow(/closed during handshake: invite_rejected/);
    await answer("ag2.channel.invite.reject", 0);
    await isRefused;
    const opened = tom.open({ type: "conversation", target: "hanna" });
    await answer("ag2.channel.invite.ack", 1);
    const { channelId } = await opened;
    await hanna.say(channelId, "here I am");
    expect(await textsOf(tom.hub, channelId)).toEqual(["here I am"]);
  });

  it("keeps names unique over both languages, and frees one that is unregistered", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const client = meeting.client();
    const tom = await client.register(createScriptedAgent("tom"));
    await expect(python.agent("tom")).rejects.toMatchObject({ type: "ProtocolError" });
    const pia = await python.agent("pia", {
      resume: { claimed_capabilities: ["sums"], summary: "counts" },
      skill_md: "# Sums",
    });
    await expect(client.register(createScriptedAgent("pia"))).rejects.toMatchObject({
      code: "protocol_error",
    });
    expect(await client.getResume(pia.agentId)).toMatchObject({ summary: "counts" });
    expect(await client.getSkill(pia.agentId)).toBe("# Sums");
    await tom.unregister();
    await python.agent("tom");
    await pia.command("unregister");
    await expect(client.getAgent("pia")).rejects.toMatchObject({ code: "not_found" });
  });

  it("answers what is too large for AG2's socket with an error, and the connection lives on", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia");
    const hugo = await meeting.client().registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "conversation", target: "pia" });
    const page = "x".repeat(200_000);
    for (let at = 0; at < 6; at += 1) await hugo.say(channelId, page);
    await expect(python.wal(channelId)).rejects.toMatchObject({ type: "NetworkError" });
    const part = await python.call("read_wal", { channel_id: channelId, since: 3, until: 6 });
    expect(part).toHaveLength(3);
    await pia.say(channelId, "still here");
    expect(python.ends).toBe(0);
  });

  it("refuses at once a number of Python's that JSON or a double does not have, and changes none", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    await python.agent("pia");
    const hanna = await python.human("hanna");
    const { channel_id } = await hanna.open({ type: "conversation", target: "pia" });
    const post = (source: string) => hanna.command("send_value", { channel_id, source });
    for (const source of ["2**64 + 1", "float('nan')", "float('-inf')"]) {
      await expect(post(source)).rejects.toMatchObject({ type: "NetworkError" });
    }
    for (const source of ["2**53", "10**20", "1e300", "0.1 + 0.2", "True"]) await post(source);
    const values = await python.command("values", { connection: "main", channel_id });
    expect(values).toEqual([
      ...["9007199254740992", "100000000000000000000", "1e+300", "0.30000000000000004", "True"],
    ]);
  });

  it("gives the turn of a Python agent that thinks too long to the next, and takes it back in later", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia", {
      script: [{ hold: "slow" }, "too late", { nth: "pia" }],
    });
    const client = meeting.client();
    let said = 0;
    await client.register(createScriptedAgent("tom", () => `tom ${++said}`));
    const hugo = await client.registerHuman({ name: "hugo" });
    const promise = { name: "turn_within", on_violation: "reassign", params: { seconds: 3 } };
    const { channelId } = await hugo.open({
      type: "discussion",
      target: ["pia", "tom"],
      knobs: { expectations: [{ ...promise, applies_to: ["pia"] }] },
    });
    await hugo.say(channelId, "hugo 1");
    await untilTexts(client, channelId, ["hugo 1", "tom 1"]);
    await pia.release("slow");
    await pia.settled(channelId, "tom 1");
    expect(await textsOf(client, channelId)).toEqual(["hugo 1", "tom 1"]);
    await hugo.say(channelId, "hugo 2");
    await untilTexts(client, channelId, ["hugo 1", "tom 1", "hugo 2", "pia 1", "tom 2"]);
    const events = (await python.wal(channelId)).map(({ event_type }) => event_type);
    expect(events.filter((type) => type === "colloquy.turn.reassigned")).toHaveLength(1);
  });
});
