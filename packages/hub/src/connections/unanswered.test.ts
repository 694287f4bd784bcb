import { settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench } from "../../../../test/edge/connection-bench.js";

type Bench = Awaited<ReturnType<typeof openConnectionBench>>;
type Link = ReturnType<Bench["connect"]>;

/** An authenticator that answers when it is let go. */
function slowScheme() {
  const waiting: (() => void)[] = [];
  const validate = ({ agent_id }: { agent_id: string | null }): Promise<void> =>
    agent_id === null ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
  return {
    authenticators: [{ scheme: "none", validate }],
    letGo(): void {
      for (const go of waiting.splice(0)) go();
    },
  };
}

/** A request as a transport hands it over that knows how large its message was. */
function ask(link: Link, request_id: string, bytes: number): void {
  link.connection.receive(
    { kind: "request", request_id, op: "list_agents", params: {} },
    true,
    bytes,
  );
}

const answerOf = (link: Link, id: string) =>
  link.peer.frames.find((frame) => frame.kind === "response" && frame.request_id === id);
const REFUSED = {
  ok: false,
  error_code: "unavailable",
  error_details: { retry_after_ms: 1_000 },
};

describe("bytes that wait for their answer", () => {
  it("are bounded on each connection; others are let be, and the answer makes room", async () => {
    const bench = await openConnectionBench({ limits: { maxUnansweredBytes: 1_000 } });
    const [link, other] = [bench.connect(), bench.connect()];
    await link.register("a");
    await other.register("b");
    ask(link, "one", 600);
    ask(link, "two", 600);
    ask(other, "three", 600);
    await settle();
    expect(answerOf(link, "one")).toMatchObject({ ok: true });
    expect(answerOf(link, "two")).toMatchObject(REFUSED);
    expect(answerOf(link, "two")).toMatchObject({
      error_message: expect.stringContaining("maxUnansweredBytes") as string,
    });
    expect(answerOf(other, "three")).toMatchObject({ ok: true });
    ask(link, "four", 600);
    await settle();
    expect(answerOf(link, "four")).toMatchObject({ ok: true });
  });

  it("have room for one message of any size that a transport lets through", async () => {
    const bench = await openConnectionBench({
      limits: { maxUnansweredBytes: 10, maxHubUnansweredBytes: 10 },
    });
    const link = bench.connect();
    await link.register("a");
    ask(link, "one", 5_000);
    await settle();
    expect(answerOf(link, "one")).toMatchObject({ ok: true });
  });

  it("are bounded over all connections together", async () => {
    const bench = await openConnectionBench({ limits: { maxHubUnansweredBytes: 1_000 } });
    const links = [bench.connect(), bench.connect(), bench.connect()];
    for (const [n, link] of links.entries()) await link.register(`agent-${n}`);
    for (const link of links) ask(link, "x", 400);
    await settle();
    const [first, second, third] = links.map((link) => answerOf(link, "x"));
    expect(first).toMatchObject({ ok: true });
    expect(second).toMatchObject({ ok: true });
    expect(third).toMatchObject(REFUSED);
  });

  it("count while a hello holds them back, and no longer once it is answered or the link is gone", async () => {
    const scheme = slowScheme();
    const bench = await openConnectionBench({
      authenticators: scheme.authenticators,
      limits: { maxUnansweredBytes: 1_000, maxHubUnansweredBytes: 1_500 },
    });
    const [link, gone] = [bench.connect(), bench.connect()];
    await link.register("a");
    await gone.register("b");
    for (const [one, name] of [
      [link, "a"],
      [gone, "b"],
    ] as const) {
      one.peer.clear();
      one.send({ kind: "hello", name });
    }
    ask(gone, "left behind", 800);
    gone.drop();
    ask(link, "held", 800);
    ask(link, "too much", 800);
    expect(link.peer.frames).toMatchObject([{ kind: "error", code: "unavailable" }]);
    scheme.letGo();
    await until(() => answerOf(link, "held"));
    expect(answerOf(link, "held")).toMatchObject({ ok: true });
    ask(link, "again", 1_000);
    await settle();
    expect(answerOf(link, "again")).toMatchObject({ ok: true });
  });

  it("are refused beyond so many requests too, with the wait", async () => {
    const bench = await openConnectionBench({ limits: { maxRequestsInFlight: 1 } });
    const link = bench.connect();
    await link.register("a");
    ask(link, "one", 1);
    ask(link, "two", 1);
    await settle();
    expect(answerOf(link, "two")).toMatchObject(REFUSED);
  });
});
