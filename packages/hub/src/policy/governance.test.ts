import { createDefaultAdapters } from "@colloquy/adapters";
import {
  AccessDeniedError,
  createPassport,
  createResume,
  createRule,
  type Envelope,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
  type RuleInput,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openHub } from "../open-hub.js";
import { createAllowAllArbiter } from "./allow-all-arbiter.js";

/** A hub in which everybody accepts every invitation. */
async function open() {
  const hub = await openHub({
    store: createMemoryStore(),
    adapters: createDefaultAdapters(),
    clock: createFakeClock(),
    ids: createFakeIds(),
  });
  const accept = async ({ audience, channel_id }: Envelope): Promise<void> => {
    for (const sender_id of audience ?? []) {
      const event_data = { channel_id };
      await hub.postEnvelope({
        channel_id,
        sender_id,
        event_type: EV_CHANNEL_INVITE_ACK,
        event_data,
      });
    }
  };
  hub.addListener({
    onEnvelopePosted(envelope) {
      if (envelope.event_type === EV_CHANNEL_INVITE) void accept(envelope);
    },
  });
  const register = async (name: string, rule: RuleInput = {}): Promise<string> => {
    const identity = { passport: createPassport({ name }), resume: createResume() };
    return (await hub.registerIdentity({ ...identity, rule: createRule(rule) })).agent_id ?? "";
  };
  const converse = async (creator_id: string, other: string): Promise<string> => {
    const opening = { creator_id, manifest_type: "conversation", participants: [other] };
    return (await hub.createChannel(opening)).channel_id;
  };
  const say = (
    channel_id: string,
    sender_id: string,
    rest: { audience?: string[]; depth?: number } = {},
  ) => {
    const text = { event_type: EV_TEXT, event_data: { text: "hello" } };
    return hub.postEnvelope({ channel_id, sender_id, ...text, ...rest });
  };
  const texts = async (channelId: string) =>
    (await hub.readWal(channelId)).filter(({ event_type }) => event_type === EV_TEXT).length;
  return { hub, register, converse, say, texts };
}

describe("rules at a hub", () => {
  it("N-129 outbound_to keeps a sender from an addressee", async () => {
    const { register, converse, say, texts } = await open();
    const b = await register("bob");
    const a = await register("ada", { access: { outbound_to: ["cat"] } });
    const channel = await converse(b, a);
    await expect(say(channel, a, { audience: [b] })).rejects.toBeInstanceOf(AccessDeniedError);
    expect(await texts(channel)).toBe(0);
  });

  it("N-136 inbound_from keeps an invitee out of a channel, which then does not exist", async () => {
    const { hub, register, converse } = await open();
    const a = await register("ada");
    const b = await register("bob", { access: { inbound_from: ["cat"] } });
    const opening = converse(a, b);
    await expect(opening).rejects.toBeInstanceOf(AccessDeniedError);
    await expect(opening).rejects.toThrow("does not accept inbound");
    expect(await hub.listChannels()).toEqual([]);
  });

  it("N-137 delegation_depth bounds the depth of an envelope", async () => {
    const { register, converse, say, texts } = await open();
    const [a, b] = [
      await register("ada", { limits: { delegation_depth: 3 } }),
      await register("bob"),
    ];
    const channel = await converse(a, b);
    await say(channel, a, { depth: 3 });
    const deeper = say(channel, a, { depth: 4 });
    await expect(deeper).rejects.toBeInstanceOf(AccessDeniedError);
    await expect(deeper).rejects.toThrow("delegation_depth");
    expect(await texts(channel)).toBe(1);
  });

  it("N-138 delegation_depth 0 bounds nothing", async () => {
    const { register, converse, say } = await open();
    const [a, b] = [
      await register("ada", { limits: { delegation_depth: 0 } }),
      await register("bob"),
    ];
    const channel = await converse(a, b);
    expect(await say(channel, a, { depth: 99_999 })).toMatch(/^[0-9a-f]{32}$/);
  });

  it("N-139 max_concurrent_channels counts channels that have not ended", async () => {
    const { hub, register, converse } = await open();
    const a = await register("ada", { limits: { max_concurrent_channels: 2 } });
    const b = await register("bob");
    const first = await converse(a, b);
    await converse(a, b);
    const third = converse(a, b);
    await expect(third).rejects.toBeInstanceOf(AccessDeniedError);
    await expect(third).rejects.toThrow("max_concurrent_channels");
    await hub.closeChannel(first);
    expect((await hub.getChannel(await converse(a, b))).state).toBe("active");
  });
});

describe("an arbiter of one's own", () => {
  it("N-227 refuses a post with its own reason", async () => {
    const { hub, register, converse, say, texts } = await open();
    const [a, b] = [await register("ada"), await register("bob")];
    const channel = await converse(a, b);
    const reason = "custom denial";
    const arbiter = {
      ...createAllowAllArbiter(),
      authorizeSend: () => ({ allow: false, reason }) as const,
    };
    hub.setArbiter(arbiter);
    expect(hub.arbiter).toBe(arbiter);
    const refused = say(channel, a);
    await expect(refused).rejects.toBeInstanceOf(AccessDeniedError);
    await expect(refused).rejects.toThrow(reason);
    expect(await texts(channel)).toBe(0);
  });

  it("is asked about the next registration", async () => {
    const { hub, register } = await open();
    hub.setArbiter({
      ...createAllowAllArbiter(),
      authorizeRegister: ({ passport }) =>
        passport.name === "eve" ? { allow: false, reason: "not you" } : { allow: true },
    });
    await expect(register("eve")).rejects.toMatchObject({
      name: "AccessDeniedError",
      message: "not you",
    });
    await register("ada");
    expect((await hub.listAgents()).map(({ name }) => name)).toEqual(["ada"]);
  });
});
