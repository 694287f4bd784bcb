import { createLocalLink } from "@colloquy/client";
import type { HubFrame, Link } from "@colloquy/protocol";
import { createPassport, createResume } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { openServedHub } from "./served-hub.js";

const PAIRS = 1_000;

/** A client of a link that numbers its requests from 0 and gathers the answers. */
async function openCounter(link: Link) {
  const waiting = new Map<string, (frame: HubFrame) => void>();
  const handlers = {
    onFrame(frame: HubFrame) {
      if (frame.kind === "response") waiting.get(frame.request_id)?.(frame);
    },
    onBadFrame: () => undefined,
    onClosed: () => undefined,
  };
  const connection = await link.connect(handlers, new AbortController().signal);
  let count = 0;
  return async (op: string, params: Record<string, unknown>): Promise<unknown> => {
    const request_id = String(count);
    count += 1;
    const answered = new Promise<HubFrame>((resolve) => waiting.set(request_id, resolve));
    connection.send({ kind: "request", request_id, op, params });
    const frame = await answered;
    return frame.kind === "response" && frame.ok ? frame.result : frame;
  };
}

type Ask = Awaited<ReturnType<typeof openCounter>>;

async function checkPairs(pair: readonly [Ask, Ask], names: readonly [string, string]) {
  const ids = await Promise.all(
    pair.map((ask, index) => {
      const passport = createPassport({ name: names[index] ?? "" });
      return ask("register", { passport, resume: createResume() });
    }),
  );
  const own = ids.map((passport) => (passport as { agent_id: string }).agent_id);
  const rounds = Array.from({ length: PAIRS }, () =>
    Promise.all(
      pair.map((ask, index) =>
        ask("get_agent", { name_or_id: own[index] ?? "" }).then(
          (passport) => (passport as { agent_id: string }).agent_id,
        ),
      ),
    ),
  );
  expect(await Promise.all(rounds)).toEqual(Array.from({ length: PAIRS }, () => own));
}

describe("clients that number alike", () => {
  it("F-059 each get their own answer, over sockets and over one link of the process", async () => {
    await using served = await openServedHub({ limits: { maxRequestsInFlight: 2_048 } });
    const [left, right] = [await served.connect(), await served.connect()];
    const ask =
      (client: typeof left): Ask =>
      (op, params) =>
        client.call(op, params);
    await checkPairs([ask(left), ask(right)], ["left", "right"]);
    const link = createLocalLink(served.hub);
    await checkPairs([await openCounter(link), await openCounter(link)], ["one", "two"]);
  });
});
