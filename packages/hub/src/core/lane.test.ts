import { settle } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { createLane } from "./lane.js";

/** A lane with works that end when they are told to. */
function bench(places: number) {
  const lane = createLane<string>(places);
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (owner: string, name: string): Promise<string> =>
    lane.run(owner, () => {
      running.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settle();
  };
  return { lane, running, start, end };
}

it("starts at once while there is room, and no more than that", async () => {
  const { running, start, end } = bench(2);
  const first = start("a", "a1");
  void start("a", "a2");
  void start("a", "a3");
  expect(running).toEqual(["a1", "a2"]);
  await end("a1");
  expect(await first).toBe("a1");
  expect(running).toEqual(["a1", "a2", "a3"]);
});

it("lets owners take turns, however many works one of them brings", async () => {
  const { running, start, end } = bench(1);
  for (const name of ["a1", "a2", "a3"]) void start("a", name);
  for (const name of ["b1", "b2"]) void start("b", name);
  for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
  expect(running).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

it("gives the place of a work that failed to the next", async () => {
  const { lane, running, start } = bench(1);
  await expect(lane.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await settle();
  void start("a", "a1");
  expect(running).toEqual(["a1"]);
});
