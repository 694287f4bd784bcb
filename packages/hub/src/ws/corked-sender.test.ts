import { Duplex } from "node:stream";
import { bareCodec, colloquyCodec } from "@colloquy/protocol";
import { createRecordingLogger, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { createCorkedSender } from "./corked-sender.js";
import { encodeFrame } from "./encode-answer.js";
import { createTickFlush } from "./tick-flush.js";

/** A socket that counts the writes that reach its other side. */
function createFakeSocket() {
  const writes: string[] = [];
  const socket = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString());
      done();
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(""));
      done();
    },
  });
  const web = { OPEN: 1, readyState: 1, send: (text: string) => socket.write(text) };
  return { socket, web: web as unknown as WebSocket, writes, state: web };
}

describe("createCorkedSender", () => {
  it("sends all of one turn of the loop in one write, answers of promises included", async () => {
    const { socket, web, writes } = createFakeSocket();
    const sender = createCorkedSender(web, socket, createTickFlush());
    sender.cork();
    sender.write("a");
    sender.write("b");
    sender.uncork();
    const answer = async (): Promise<void> => {
      await null;
      await null;
      sender.write("c");
    };
    await answer();
    expect(writes).toEqual([]);
    await settle();
    expect(writes).toEqual(["abc"]);
    sender.write("d");
    await settle();
    expect(writes).toEqual(["abc", "d"]);
  });

  it("holds back as long as it is corked, however deep", async () => {
    const { socket, web, writes } = createFakeSocket();
    const sender = createCorkedSender(web, socket, createTickFlush());
    sender.cork();
    sender.cork();
    sender.write("a");
    await settle();
    sender.uncork();
    await settle();
    expect(writes).toEqual([]);
    sender.uncork();
    sender.uncork();
    await settle();
    expect(writes).toEqual(["a"]);
  });

  it("writes nothing to a socket that is no longer open, and survives one that is gone", async () => {
    const { socket, web, writes, state } = createFakeSocket();
    const sender = createCorkedSender(web, socket, createTickFlush());
    sender.write("a");
    socket.destroy();
    state.readyState = 3;
    sender.write("b");
    sender.cork();
    sender.uncork();
    await settle();
    expect(writes).toEqual([]);
  });
});

describe("encodeFrame", () => {
  const answer = (result: unknown) => ({
    kind: "response" as const,
    request_id: "r",
    ok: true,
    result,
    error_code: "",
    error_message: "",
  });
  const logger = createRecordingLogger();

  it("turns a response that cannot be written into an error of the profile", () => {
    const options = { maxAnswerBytes: 1_000, logger };
    const full = encodeFrame(answer(1n), { codec: colloquyCodec, ...options });
    expect(JSON.parse(full ?? "")).toMatchObject({
      ok: false,
      error_code: "internal",
      result: null,
    });
    const bare = encodeFrame(answer(1n), { codec: bareCodec, ...options });
    expect(JSON.parse(bare ?? "")).toMatchObject({ ok: false, error_code: "error" });
  });

  it("turns one that is too large into an error, measured in bytes", () => {
    const options = { codec: colloquyCodec, maxAnswerBytes: 1_000, logger };
    expect(JSON.parse(encodeFrame(answer("x".repeat(800)), options) ?? "")).toMatchObject({
      ok: true,
    });
    const large = encodeFrame(answer("ü".repeat(800)), options);
    expect(JSON.parse(large ?? "")).toMatchObject({ ok: false, error_code: "too_large" });
  });

  it("leaves out another frame that cannot be written", () => {
    const hint = { kind: "hint" as const, hint: "drain" as const };
    expect(encodeFrame(hint, { codec: bareCodec, maxAnswerBytes: 1_000, logger })).toBeNull();
  });
});
