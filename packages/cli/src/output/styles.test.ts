import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import type { TextSink } from "../terminal/terminal.js";
import { createStyles } from "./styles.js";

const sink = (isTty: boolean): TextSink => ({
  isTty,
  columns: null,
  stream: new PassThrough(),
  write: () => Promise.resolve(),
});

it("colours only what a person looks at", () => {
  expect(createStyles(sink(true), {}).bad("x")).not.toBe("x");
  expect(createStyles(sink(false), {}).bad("x")).toBe("x");
  expect(createStyles(sink(true), { NO_COLOR: "1" }).bad("x")).toBe("x");
  expect(createStyles(sink(true), { NO_COLOR: "" }).bad("x")).not.toBe("x");
  expect(createStyles(sink(true), { TERM: "dumb" }).bad("x")).toBe("x");
});
