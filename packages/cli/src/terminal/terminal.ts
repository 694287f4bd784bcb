/** A stream that a command writes text to. */
export interface TextSink {
  /** Resolves when more may be written, so that a slow reader holds the command back. */
  write(text: string): Promise<void>;
  readonly isTty: boolean;
  /** Width in cells; null where there is none to keep to. */
  readonly columns: number | null;
  /** The stream behind it, for libraries that draw by themselves. */
  readonly stream: NodeJS.WritableStream;
}

/** Signals that ask a process to end. */
export type EndSignal = "SIGINT" | "SIGTERM";

/** What surrounds a command: the process's, or a test's. */
export interface Terminal {
  readonly out: TextSink;
  readonly err: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls back on each {@link EndSignal} instead of ending the process; returns how to stop. */
  onSignal(callback: (signal: EndSignal) => void): () => void;
  /** Calls back for an error or a rejection that nobody caught; returns how to stop. */
  onUncaught(callback: (error: unknown) => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
}
