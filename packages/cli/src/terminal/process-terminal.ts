import { once } from "node:events";
import type { EndSignal, Terminal, TextSink } from "./terminal.js";

const SIGNALS: readonly EndSignal[] = ["SIGINT", "SIGTERM"];

/**
 * The terminal of this process.
 *
 * A reader that goes away (`| head`) ends the process quietly, as it ends other filters.
 */
export function createProcessTerminal(): Terminal {
  return {
    out: createSink(process.stdout),
    err: createSink(process.stderr),
    env: process.env,
    onSignal(callback) {
      for (const signal of SIGNALS) process.on(signal, callback);
      return () => {
        for (const signal of SIGNALS) process.off(signal, callback);
      };
    },
    onUncaught(callback) {
      // Rejections that nobody handles arrive here as well.
      process.on("uncaughtException", callback);
      return () => void process.off("uncaughtException", callback);
    },
    exit: (code) => process.exit(code),
  };
}

function createSink(stream: NodeJS.WriteStream): TextSink {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  return {
    async write(text) {
      if (!stream.write(text)) await once(stream, "drain");
    },
    isTty: stream.isTTY === true,
    get columns() {
      return stream.isTTY === true ? stream.columns : null;
    },
    stream,
  };
}
