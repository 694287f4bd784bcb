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
