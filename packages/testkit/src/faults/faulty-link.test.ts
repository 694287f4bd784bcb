import type { ClientFrame, HubFrame, Link, LinkClosed, LinkHandlers } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../fakes/fake-clock.js";
import { settle } from "../wait/settle.js";
import { faultyLink } from "./faulty-link.js";

/** A link whose hub sends every request back as a response. */
function echoLink() {
  const received: string[] = [];
  const closes: LinkClosed[] = [];
  const link: Link = {
    remote: true,
    async connect(handlers) {
      let isOpen = true;
      return {
        profile: "colloquy.v1",
        bufferedBytes: 0,
        send(frame) {
          if (!isOpen || frame.kind !== "request") return;
          received.push(frame.request_id);
          handlers.onFrame(response(frame.request_id));
        },
        close(code = 1000, reason = "") {
          if (!isOpen) return;
          isOpen = false;
          closes.push({ code, reason });
          handlers.onClosed({ code, reason });
        },
      };
    },
  };
  return { link, received, closes };
}

const request = (id: string): ClientFrame => ({
  kind: "request",
  request_id: id,
  op: "x",
  params: {},
});
const response = (id: string): HubFrame => ({
  kind: "response",
  request_id: id,
  ok: true,
  result: null,
  error_code: "",
  error_message: "",
});

async function open(options?: Parameters<typeof faultyLink>[1]) {
  const { link: inner, received, closes } = echoLink();
  const link = faultyLink(inner, options);
  const heard: string[] = [];
  const ends: LinkClosed[] = [];
  const handlers: LinkHandlers = {
    onFrame: (frame) => void heard.push(frame.kind === "response" ? frame.request_id : frame.kind),
    onBadFrame: () => undefined,
    onClosed: (closed) => void ends.push(closed),
  };
  const connection = await link.connect(handlers, new AbortController().signal);
  return { link, connection, heard, ends, received, closes, handlers };
}

describe("faulty link", () => {
  it("passes everything on while nothing is asked of it", async () => {
    const { link, connection, heard, ends } = await open();
    for (const id of ["1", "2"]) connection.send(request(id));
    connection.close(1000, "done");
    expect(heard).toEqual(["1", "2"]);
    expect(ends).toEqual([{ code: 1000, reason: "done" }]);
    expect([link.dials, link.open]).toEqual([1, 0]);
  });

  it("cuts without a goodbye, and tells the hub in its own way", async () => {
    const { link, connection, ends, closes } = await open();
    link.cut();
    connection.send(request("late"));
    expect(ends).toEqual([{ code: 1006, reason: "the connection was cut" }]);
    expect(closes).toHaveLength(1);
    expect(link.open).toBe(0);
  });

  it("freezes both directions, and new dials, until it thaws", async () => {
    const { link, connection, heard, received, handlers } = await open();
    link.freeze();
    connection.send(request("1"));
    const dialling = link.connect(handlers, new AbortController().signal);
    await settle();
    expect(received).toEqual([]);
    link.thaw();
    expect(received).toEqual(["1"]);
    expect(heard).toEqual(["1"]);
    await dialling;
    expect(link.open).toBe(2);
  });

  it("keeps a close from the hub for as long as the network is gone", async () => {
    const { link, connection, ends, closes } = await open();
    link.freeze();
    connection.close();
    expect(ends).toHaveLength(1);
    expect(closes).toHaveLength(0);
    link.thaw();
    expect(closes).toHaveLength(1);
  });

  it("loses the frames that it is told to, and counts them", async () => {
    const { link, connection, heard, received } = await open();
    link.drop("to_hub", 1);
    link.drop("to_client", 1, (frame) => frame.kind === "response" && frame.request_id === "3");
    for (const id of ["1", "2", "3", "4"]) connection.send(request(id));
    expect(received).toEqual(["2", "3", "4"]);
    expect(heard).toEqual(["2", "4"]);
    expect(link.dropped).toBe(2);
  });

  it("refuses dials, and allows them again", async () => {
    const { link, handlers } = await open();
    const { signal } = new AbortController();
    link.refuse(2, new Error("down"));
    await expect(link.connect(handlers, signal)).rejects.toThrow("down");
    link.allow();
    await link.connect(handlers, signal);
    expect(link.dials).toBe(3);
  });

  it("delays within a bound and keeps the order", async () => {
    const clock = createFakeClock();
    const { link, connection, heard } = await open({ clock });
    link.randomly({ delayMs: 100 });
    for (let id = 0; id < 20; id += 1) connection.send(request(String(id)));
    expect(heard.length).toBeLessThan(20);
    for (let step = 0; step < 50; step += 1) clock.advance(100);
    expect(heard).toEqual(Array.from({ length: 20 }, (_, id) => String(id)));
  });

  it("draws the same faults from the same seed", async () => {
    const cutAfter = async (seed: number) => {
      const { link, connection, received } = await open({ seed });
      link.randomly({ cut: 0.05 });
      for (let id = 0; id < 500; id += 1) connection.send(request(String(id)));
      return received.length;
    };
    expect(await cutAfter(7)).toBe(await cutAfter(7));
    const lengths = await Promise.all([1, 2, 3, 4, 5].map(cutAfter));
    expect(new Set(lengths).size).toBeGreaterThan(1);
    expect(Math.max(...lengths)).toBeLessThan(500);
  });
});
