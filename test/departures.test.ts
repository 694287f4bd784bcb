import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEPARTURES, type Departure } from "./departures.js";
import { ROOT, readText } from "./source-files.js";

/** Titles of the tests in a file, in any way of writing `it`. */
function titlesIn(file: string): string[] {
  const text = readText(file);
  const calls = text.matchAll(/\bit(?:\.each\([\s\S]*?\))?\(\s*(["'`])((?:\\.|(?!\1).)*)\1/g);
  return [...calls].map((call) => call[2] ?? "");
}

const isHeld = ({ file, title }: Departure): boolean =>
  existsSync(join(ROOT, file)) && titlesIn(file).some((held) => held.startsWith(title));

it.each(DEPARTURES)("$promise: has its test", (departure) => {
  expect(isHeld(departure)).toBe(true);
});

it("notices a departure whose test is gone", () => {
  const [first] = DEPARTURES;
  const gone = { promise: "x", file: first?.file ?? "", title: "no test is called like this" };
  expect(isHeld(gone)).toBe(false);
  expect(isHeld({ ...gone, file: "test/no-such-file.test.ts" })).toBe(false);
});
