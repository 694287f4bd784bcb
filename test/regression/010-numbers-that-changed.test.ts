import { SUBPROTOCOL } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openServedHub } from "../edge/served-hub.js";

const BAD = ["12345678901234567890", "-9007199254740993", "NaN", "-Infinity"];

/** A post as other languages write it, with a number that no double keeps. */
function postWith(number: string, channel_id: string, sender_id: string): string {
  const envelope = { channel_id, sender_id, audience: null, event_type: "custom.x" };
  const text = JSON.stringify({
    request_id: "numbers",
    op: "post_envelope",
    params: { envelope: { ...envelope, event_data: { v: "HERE" } } },
    kind: "request",
  });
  return text.replace('"HERE"', number);
}

it.each(BAD)("a number that cannot be kept is refused and never changed: %s", async (number) => {
  await using served = await openServedHub();
  served.acceptInvitations();
  const a = await served.connect();
  const b = await served.connect([SUBPROTOCOL]);
  const [aId, bId] = [await a.register("a"), await b.register("b")];
  const channel = await served.open("conversation", aId, bId);
  const before = await served.hub.readWal(channel);

  // AG2's client waits for the response to its request, and passes over error frames.
  a.web.send(postWith(number, channel, aId));
  const response = await until(() =>
    a.frames.find((frame) => frame.kind === "response" && frame.request_id === "numbers"),
  );
  expect(response).toMatchObject({ ok: false, error_code: "error" });
  expect(JSON.stringify(response)).toMatch(/number that cannot be kept|is no JSON/);

  b.web.send(postWith(number, channel, bId));
  const error = await until(() => b.frames.find(({ kind }) => kind === "error"));
  expect(error).toMatchObject({ code: "invalid_input", request_id: "numbers" });

  expect(await served.hub.readWal(channel)).toEqual(before);
  expect([a.closeCode, b.closeCode]).toEqual([null, null]);
});
