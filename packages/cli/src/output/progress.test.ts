import { PassThrough } from "node:stream";
import { createFakeClock } from "@colloquy/testkit";
import { expect, it } from "vitest";
import type { TextSink } from "../terminal/terminal.js";
import { startProgress } from "./progress.js";

function sinkOf(isTty: boolean): { readonly sink: TextSink; text(): string } {
  const stream = Object.assign(new PassThrough(), { isTTY: isTty, columns: 80 });
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { text: () => text, sink: { isTty, columns: 80, stream, write: () => Promise.resolve() } };
}

it("shows a bar on a terminal once the work has taken its time", () => {
  const { sink, text } = sinkOf(true);
  const clock = createFakeClock();
  const progress = startProgress(sink, clock, "verifying", 100);
  progress.update(10);
  expect(text()).toBe("");
  clock.advance(500);
  progress.update(50);
  expect(text()).toContain("verifying");
  expect(text()).toContain("50/100");
  progress.stop();
  progress.stop();
});

it("draws nothing where no terminal is", () => {
  const { sink, text } = sinkOf(false);
  const clock = createFakeClock();
  const progress = startProgress(sink, clock, "verifying", 100);
  clock.advance(10_000);
  progress.update(50);
  progress.stop();
  expect(text()).toBe("");
});
