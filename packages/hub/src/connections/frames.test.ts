import { InvalidInputError } from "@colloquy/protocol";
import { settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench } from "../../../../test/edge/connection-bench.js";

describe("frames", () => {
  it("answers a ping, and takes a pong for what it is", async () => {
    const link = (await openConnectionBench()).connect({ profile: "ag2" });
    link.send({ kind: "ping" });
    link.send({ kind: "pong" });
    expect(link.peer.frames).toEqual([{ kind: "pong" }]);
  });

  it("answers what is no frame with an error frame, and goes on", async () => {
    const bench = await openConnectionBench();
    const link = bench.connect();
    const strange = [null, 7, "text", [], {}, { kind: "welcome" }, { kind: "from-the-future" }];
    for (const frame of strange) link.connection.receive(frame);
    link.send({ kind: "hello", name: 7 });
    link.send({ kind: "request", request_id: "1", op: "list_agents", params: "none" });
    expect(link.peer.frames.map(({ kind }) => kind)).toEqual(
      Array.from({ length: 9 }, () => "error"),
    );
    expect(link.peer.frames.at(-1)).toMatchObject({ code: "invalid_input" });
    expect(await link.request("list_agents")).toMatchObject({ ok: true });
  });

  it("answers a bad message in the words of each profile", async () => {
    const bench = await openConnectionBench();
    const facts = { field: "name", received: "number", remedy: "Send a string." };
    const details = { request_id: "r7" };
    const error = new InvalidInputError("frame, field name: received number.", {
      ...facts,
      details,
    });
    const full = bench.connect();
    full.connection.receiveBad(error);
    expect(full.peer.frames).toMatchObject([
      { code: "invalid_input", request_id: "r7", details: facts },
    ]);
    const bare = bench.connect({ profile: "ag2" });
    bare.connection.receiveBad(error);
    expect(bare.peer.frames).toMatchObject([{ code: "protocol_error", envelope_id: null }]);
  });

  it("bounds what it keeps while a claim is checked", async () => {
    let release = (): void => undefined;
    const slow = {
      scheme: "none",
      validate: (passport: { agent_id: string | null }) =>
        passport.agent_id === null
          ? Promise.resolve()
          : new Promise<void>((resolve) => {
              release = resolve;
            }),
    };
    const bench = await openConnectionBench({ authenticators: [slow] });
    const link = bench.connect();
    await link.register("a");
    link.peer.clear();
    link.send({ kind: "hello", name: "a" });
    for (let n = 0; n < 1_030; n += 1) link.send({ kind: "ping" });
    expect(link.peer.frames.map(({ kind }) => kind)).toEqual(
      Array.from({ length: 6 }, () => "error"),
    );
    link.peer.clear();
    release();
    await settle();
    expect(link.peer.frames[0]).toMatchObject({ kind: "welcome" });
    expect(link.peer.frames).toHaveLength(1 + 1_024);
  });
});

describe("deltas", () => {
  const delta = (channel_id: string, sender_id: string, sequence = 0) => ({
    kind: "delta" as const,
    channel_id,
    sender_id,
    turn_id: "t",
    sequence,
    text: "hel",
  });

  it("reach the members that listen now, once per connection, and are never stored", async () => {
    const bench = await openConnectionBench();
    bench.acceptInvitations();
    const a = await bench.join("a");
    const shared = bench.connect();
    const [b, c] = [await shared.register("b"), await shared.register("c")];
    const bare = await bench.join("d", "ag2");
    const stranger = await bench.join("e");
    const channel = await bench.open("discussion", a.id, b, c, bare.id);
    await settle();
    const before = await bench.hub.readWal(channel);
    for (const link of [a, shared, bare, stranger]) link.peer.clear();
    a.send(delta(channel, a.id));
    expect(shared.peer.frames).toEqual([delta(channel, a.id)]);
    for (const link of [a, bare, stranger]) expect(link.peer.frames).toEqual([]);
    shared.peer.bufferedBytes = bench.context.limits.maxBufferedBytes;
    a.send(delta(channel, a.id, 1));
    expect(shared.peer.frames).toHaveLength(1);
    expect(await bench.hub.readWal(channel)).toEqual(before);
  });

  it("reach those whom their audience names, and no hidden member", async () => {
    const bench = await openConnectionBench();
    bench.acceptInvitations();
    const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
    const d = await bench.join("d");
    const channel = await bench.open("discussion", a.id, b.id, c.id, d.id);
    await bench.hub.hideParticipant(channel, d.id, { by: a.id });
    await settle();
    for (const link of [a, b, c, d]) link.peer.clear();
    const whispered = { ...delta(channel, a.id), audience: [b.id, d.id, "nobody", a.id] };
    a.send(whispered);
    expect(b.peer.frames).toEqual([whispered]);
    for (const link of [a, c, d]) expect(link.peer.frames).toEqual([]);
    a.send(delta(channel, a.id, 1));
    d.send(delta(channel, d.id));
    expect(b.peer.frames).toHaveLength(2);
    expect(c.peer.frames).toEqual([delta(channel, a.id, 1)]);
    expect(d.peer.frames).toEqual([]);
  });

  it("are dropped beyond so many a second of one connection, and when they are too long", async () => {
    const limits = { maxDeltasPerSecond: 3, maxDeltaCharacters: 5 };
    const bench = await openConnectionBench({ limits });
    bench.acceptInvitations();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const channel = await bench.open("conversation", a.id, b.id);
    await settle();
    for (const link of [a, b]) link.peer.clear();
    a.send({ ...delta(channel, a.id), text: "123456" });
    for (let n = 1; n < 10; n += 1) a.send(delta(channel, a.id, n));
    b.send(delta(channel, b.id, 100));
    await bench.clock.advanceAsync(999);
    a.send(delta(channel, a.id, 10));
    await bench.clock.advanceAsync(1);
    a.send(delta(channel, a.id, 11));
    expect(b.peer.frames).toEqual([1, 2, 11].map((n) => delta(channel, a.id, n)));
    expect(a.peer.frames).toEqual([delta(channel, b.id, 100)]);
  });

  it("may be turned off", async () => {
    const bench = await openConnectionBench({ limits: { maxDeltasPerSecond: 0 } });
    bench.acceptInvitations();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const channel = await bench.open("conversation", a.id, b.id);
    await settle();
    b.peer.clear();
    for (const n of [0, 1]) a.send(delta(channel, a.id, n));
    expect(b.peer.frames).toEqual([]);
  });

  it("are refused under another's name and in another's channel", async () => {
    const bench = await openConnectionBench();
    bench.acceptInvitations();
    const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
    const channel = await bench.open("conversation", a.id, b.id);
    await settle();
    for (const link of [a, b, c]) link.peer.clear();
    c.send(delta(channel, a.id));
    c.send(delta(channel, c.id));
    c.send(delta("no such channel", c.id));
    expect(c.peer.frames).toMatchObject([
      { kind: "error", code: "access_denied" },
      { kind: "error", code: "not_found" },
      { kind: "error", code: "not_found" },
    ]);
    for (const link of [a, b]) expect(link.peer.frames).toEqual([]);
  });
});
