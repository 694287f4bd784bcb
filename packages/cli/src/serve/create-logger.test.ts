import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { ServeSettings } from "../config/serve-settings.js";
import type { Terminal, TextSink } from "../terminal/terminal.js";
import { createLogger } from "./create-logger.js";

function terminalOf(isTty: boolean): { readonly terminal: Terminal; text(): string } {
  const stream = new PassThrough();
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const sink: TextSink = { isTty, columns: 80, stream, write: () => Promise.resolve() };
  const nothing = (): (() => void) => () => undefined;
  return {
    text: () => text,
    terminal: {
      out: sink,
      err: sink,
      env: { NO_COLOR: "1" },
      onSignal: nothing,
      onUncaught: nothing,
      exit: () => undefined,
    },
  };
}

const log = (
  isTty: boolean,
  logFormat: ServeSettings["logFormat"],
  logLevel: ServeSettings["logLevel"] = "info",
): string => {
  const { terminal, text } = terminalOf(isTty);
  const logger = createLogger(terminal, { logFormat, logLevel });
  logger.debug({}, "unseen");
  logger.info({ channel_id: "c1", note: "two words", claim: { token: "s3cret" } }, "took\nit");
  logger.error({ err: new Error("bad\u001b[2J"), passport: { token: "s3cret" } }, "failed");
  return text();
};

describe("createLogger", () => {
  it("writes JSON where no person looks, without claims and tokens", () => {
    const lines = log(false, "auto").trimEnd().split("\n");
    const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({
      level: 30,
      msg: "took\nit",
      channel_id: "c1",
      claim: "(hidden)",
    });
    expect(second).toMatchObject({ level: 50, msg: "failed", passport: { token: "(hidden)" } });
    expect(lines).toHaveLength(2);
  });

  it("writes lines for people on a terminal that nothing in them can drive", () => {
    const lines = log(true, "auto").trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^\d{4}-.*Z info {2}took\\nit channel_id=c1 note="two words" claim=\(hidden\)$/,
    );
    expect(lines[1]).toContain("error failed");
    expect(lines.join("")).not.toContain("\u001b");
    expect(lines.join("")).not.toContain("s3cret");
  });

  it("writes JSON that drives no terminal either, and parses to what was logged", () => {
    const { terminal, text } = terminalOf(true);
    const logger = createLogger(terminal, { logFormat: "json", logLevel: "info" });
    const note = "\u009b2J\u202egpj\u2028";
    logger.info({ note }, "took it");
    expect(text()).not.toMatch(/[\u0080-\u009f\u202e\u2028]/);
    expect(JSON.parse(text())).toMatchObject({ note, msg: "took it" });
    expect(text().endsWith("\n")).toBe(true);
  });

  it("follows the settings over what it finds", () => {
    expect(log(true, "json")).toContain('"msg"');
    expect(log(false, "text")).not.toContain('"msg"');
    expect(log(false, "json", "silent")).toBe("");
    expect(log(false, "json", "debug")).toContain("unseen");
  });
});
