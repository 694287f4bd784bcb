import { expect, it } from "vitest";
import { createTurnstile } from "./turnstile.js";

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function createWork(log: string[], name: string) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    log.push(name);
    await ended;
    return name;
  };
  return { work, end: () => end() };
}

it("lets one through at a time in the order of coming, also past one that fails", async () => {
  const turnstile = createTurnstile(5);
  const log: string[] = [];
  const [one, two] = [createWork(log, "one"), createWork(log, "two")];
  const first = turnstile.pass(one.work, never);
  const broken = turnstile.pass(() => Promise.reject(new Error("broken")), never);
  const second = turnstile.pass(two.work, never);
  two.end();
  await Promise.resolve();
  expect(log).toEqual(["one"]);
  one.end();
  await expect(broken).rejects.toThrow("broken");
  expect(await Promise.all([first, second])).toEqual(["one", "two"]);
  expect(log).toEqual(["one", "two"]);
});

it("refuses one more than may wait, and takes one again when there is room", async () => {
  const turnstile = createTurnstile(1);
  const { work, end } = createWork([], "one");
  const first = turnstile.pass(work, never);
  const waiting = turnstile.pass(async () => "two", never);
  await expect(turnstile.pass(async () => "three", never)).rejects.toMatchObject({ status: 429 });
  end();
  expect(await Promise.all([first, waiting])).toEqual(["one", "two"]);
  expect(await turnstile.pass(async () => "four", never)).toBe("four");
});

it("does not begin work whose client has gone, and closes when all within have ended", async () => {
  const turnstile = createTurnstile(5);
  const log: string[] = [];
  const { work, end } = createWork(log, "one");
  const gone = new AbortController();
  const first = turnstile.pass(work, never);
  const left = turnstile.pass(createWork(log, "two").work, gone.signal);
  gone.abort(new Error("gone"));
  const closed = turnstile.close();
  await expect(turnstile.pass(work, never)).rejects.toMatchObject({ status: 503 });
  end();
  await first;
  await expect(left).rejects.toThrow("gone");
  await closed;
  expect(log).toEqual(["one"]);
});
