import { EV_TEXT } from "@colloquy/protocol";
import { settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../../../../test/edge/connection-bench.js";

const BARE = { profile: "ag2" } as const;

describe("a bare peer whose agent moves to another connection", () => {
  it("F-069 is told in an error frame, gets nothing more and keeps its other agents", async () => {
    const bench = await openConnectionBench();
    bench.acceptInvitations();
    const older = bench.connect(BARE);
    const [ada, bob] = [await older.register("ada"), await older.register("bob")];
    const carl = await bench.join("carl");
    const channel = await bench.open("conversation", carl.id, ada);
    await settle();
    older.peer.clear();
    const before = [...older.peer.notifies];

    const newer = bench.connect(BARE);
    expect(await newer.hello("ada", { since_envelope_id: "" })).toMatchObject({ kind: "welcome" });
    expect(older.peer.frames).toEqual([
      {
        kind: "error",
        code: "access_denied",
        message: `agent '${ada}' is no longer bound here: another connection speaks for it now`,
        envelope_id: null,
        details: null,
        request_id: null,
      },
    ]);
    expect(older.peer.closed).toBeNull();

    await carl.call("post_envelope", textOf(channel, carl.id));
    await until(() => newer.peer.notifies.some(({ envelope }) => envelope.event_type === EV_TEXT));
    expect(older.peer.frames).toHaveLength(1);
    expect(older.peer.notifies).toEqual(before);
    expect(await older.request("pending_turns_for", { agent_id: bob })).toMatchObject({ ok: true });
    expect(await older.request("pending_turns_for", { agent_id: ada })).toMatchObject({
      ...{ ok: false, error_code: "access_denied" },
    });
  });

  it("F-069 is closed with 4009 when it spoke for nobody else", async () => {
    const bench = await openConnectionBench();
    const older = bench.connect(BARE);
    await older.register("ada");
    const newer = bench.connect(BARE);
    expect(await newer.hello("ada")).toMatchObject({ kind: "welcome" });
    expect(older.peer.frames.at(-1)).toMatchObject({ kind: "error", code: "access_denied" });
    expect(older.peer.closed).toMatchObject({ code: 4009 });
    expect(newer.peer.closed).toBeNull();
  });

  it("F-069 is told behind the answer to a hello that is being checked, which is not failed by it", async () => {
    let release = (): void => undefined;
    let isSlow = false;
    const validate = (): Promise<void> =>
      isSlow
        ? new Promise((resolve) => {
            release = resolve;
          })
        : Promise.resolve();
    const bench = await openConnectionBench({ authenticators: [{ scheme: "none", validate }] });
    const older = bench.connect(BARE);
    await older.register("ada");
    await bench.connect(BARE).register("bob");
    older.peer.clear();
    isSlow = true;
    older.send({ kind: "hello", name: "bob", auth_scheme: "none", auth_claim: {} });
    isSlow = false;
    const newer = bench.connect(BARE);
    expect(await newer.hello("ada")).toMatchObject({ kind: "welcome" });
    expect(older.peer.frames).toEqual([]);
    release();
    await until(() => older.peer.frames.length === 2);
    expect(older.peer.frames.map(({ kind }) => kind)).toEqual(["welcome", "error"]);
    expect(older.peer.closed).toBeNull();
  });

  it("F-069 swaps within a bound when both fight back", async () => {
    const bench = await openConnectionBench({ limits: { maxSwapsPerMinute: 3 } });
    await bench.connect(BARE).register("ada");
    const codes: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const answer = await bench.connect(BARE).hello("ada");
      codes.push(answer.kind === "error" ? answer.code : answer.kind);
    }
    expect(codes).toEqual(["welcome", "welcome", "welcome", "error", "error", "error"]);
  });
});
