import { PassThrough } from "node:stream";
import type { EndSignal, Terminal, TextSink } from "../../packages/cli/src/terminal/terminal.js";

/** A terminal that keeps what is written to it. */
export interface CapturedTerminal extends Terminal {
  readonly stdout: string;
  readonly stderr: string;
  /** Exit codes that were asked for at once. */
  readonly exits: readonly number[];
  /** True while somebody listens for signals. */
  readonly listening: boolean;
  signal(signal: EndSignal): void;
  fault(error: unknown): void;
}

/** How a {@link captureTerminal} looks to a command. */
export interface CaptureOptions {
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly isTty?: boolean | undefined;
  readonly columns?: number | null | undefined;
}

/** Makes a terminal for a command that runs in this process. */
export function captureTerminal(options: CaptureOptions = {}): CapturedTerminal {
  const out = captureSink(options);
  const err = captureSink(options);
  const onSignal = new Set<(signal: EndSignal) => void>();
  const onUncaught = new Set<(error: unknown) => void>();
  const exits: number[] = [];
  return {
    out: out.sink,
    err: err.sink,
    env: options.env ?? {},
    exits,
    get stdout() {
      return out.text();
    },
    get stderr() {
      return err.text();
    },
    get listening() {
      return onSignal.size > 0;
    },
    onSignal(callback) {
      onSignal.add(callback);
      return () => void onSignal.delete(callback);
    },
    onUncaught(callback) {
      onUncaught.add(callback);
      return () => void onUncaught.delete(callback);
    },
    exit: (code) => void exits.push(code),
    signal: (signal) => {
      for (const callback of [...onSignal]) callback(signal);
    },
    fault: (error) => {
      for (const callback of [...onUncaught]) callback(error);
    },
  };
}

function captureSink({ isTty = false, columns = null }: CaptureOptions): {
  readonly sink: TextSink;
  text(): string;
} {
  const stream = new PassThrough();
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  return {
    text: () => text,
    sink: {
      isTty,
      columns,
      stream,
      write: (piece) =>
        new Promise((resolve) => {
          stream.write(piece, () => resolve());
        }),
    },
  };
}
