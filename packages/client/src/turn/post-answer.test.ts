import { createEnvelope, type Envelope, EV_TEXT } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { ClientError } from "../errors.js";
import type { Posted } from "../verbs/posted.js";
import { postAnswer } from "./post-answer.js";

const draft = {
  channel_id: "c",
  event_type: EV_TEXT,
  event_data: { text: "42" },
  causation_id: "question",
};
const posted: Posted = {
  envelope_id: "answer",
  position: null,
  created_at: null,
  duplicate: false,
  notes: [],
};
const lost = (): ClientError => new ClientError("client/connection_lost", "the connection broke");
const late = (): ClientError => new ClientError("client/timed_out", "not connected");

function start(posts: (() => Posted)[], looks: (() => Envelope | null)[]) {
  const steps: string[] = [];
  const next = <T>(name: string, script: (() => T)[]): T => {
    steps.push(name);
    const step = script.shift();
    if (step === undefined) throw new Error(`${name} was not expected`);
    return step();
  };
  const host = {
    client: { agentId: "ada" },
    hub: { findEnvelopeByCausation: async () => next("look", looks) },
    post: async () => next("post", posts),
  } as unknown as Parameters<typeof postAnswer>[0];
  return { steps, answer: (signal: AbortSignal) => postAnswer(host, draft, signal) };
}

describe("the answer of a turn", () => {
  it("is looked for as long as the link is down before it is posted again", async () => {
    const { answer, steps } = start(
      [
        () => {
          throw lost();
        },
        () => posted,
      ],
      [
        () => {
          throw late();
        },
        () => {
          throw lost();
        },
        () => null,
      ],
    );
    expect(await answer(new AbortController().signal)).toEqual({
      envelope_id: "answer",
      notes: [],
    });
    expect(steps).toEqual(["post", "look", "look", "look", "post"]);
  });

  it("is not posted again when it has arrived", async () => {
    const arrived = createEnvelope({ ...draft, envelope_id: "there", sender_id: "ada" });
    const { answer, steps } = start(
      [
        () => {
          throw lost();
        },
      ],
      [() => arrived],
    );
    expect(await answer(new AbortController().signal)).toEqual({ envelope_id: "there", notes: [] });
    expect(steps).toEqual(["post", "look"]);
  });

  it("is given up with the signal's reason while it is looked for", async () => {
    const stop = new AbortController();
    const { answer } = start(
      [
        () => {
          stop.abort(new Error("the channel has ended"));
          throw lost();
        },
      ],
      [],
    );
    await expect(answer(stop.signal)).rejects.toThrow("the channel has ended");
  });
});
