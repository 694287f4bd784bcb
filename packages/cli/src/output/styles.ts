import picocolors from "picocolors";
import type { Terminal, TextSink } from "../terminal/terminal.js";

/** Ways to set a piece of text apart. Without colours every one of them returns its text. */
export interface Styles {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  caution(text: string): string;
  bad(text: string): string;
  name(text: string): string;
}

/** Styles for a sink: colours on a terminal, none where `NO_COLOR` is set or nobody looks. */
export function createStyles(sink: TextSink, env: Terminal["env"]): Styles {
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const colours = picocolors.createColors(sink.isTty && !refused);
  return {
    strong: colours.bold,
    faint: colours.dim,
    good: colours.green,
    caution: colours.yellow,
    bad: colours.red,
    name: colours.cyan,
  };
}
