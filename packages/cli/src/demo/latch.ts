/** A promise that others settle, once. */
export interface Latch {
  readonly opened: Promise<void>;
  open(): void;
  fail(error: Error): void;
}

/** Makes a {@link Latch}. A failure that nobody waits for is no unhandled rejection. */
export function createLatch(): Latch {
  let open = (): void => undefined;
  let fail = (_error: Error): void => undefined;
  const opened = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  opened.catch(() => undefined);
  return { opened, open: () => open(), fail: (error) => fail(error) };
}
