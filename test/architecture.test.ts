import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HOUSE } from "./house.js";
import { ROOT, readText } from "./source-files.js";

const page = readText("ARCHITECTURE.md");

/** Text in backticks that names a file or folder from the root of the repository. */
const PATH =
  /^(?:(?:packages|test|examples|docs|scripts|\.ci)(?:\/[\w.@-]+)+\/?|[\w.-]+\.(?:json|md|ts))$/;

it("names only paths that exist", () => {
  const spans = [...page.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
  const paths = spans.filter((span) => PATH.test(span));
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it("shows the import table that the topology test holds", () => {
  const section = page.split(/^## /m).find((part) => part.startsWith("Import table")) ?? "";
  const rows = [...section.matchAll(/^\| `packages\/([\w-]+)` +\| (.+?) +\|$/gm)];
  const shown = rows.map((row) => [row[1], (row[2] ?? "").split(", ")]);
  const held = Object.entries(HOUSE).map(([name, room]) => [
    name,
    room.mayImport.map((id) => {
      const places = room.onlyIn?.[id];
      const short = id.replace("@colloquy/", "");
      return places ? `${short} (${places.map((place) => `src/${place}`).join(" or ")})` : short;
    }),
  ]);
  expect(shown).toEqual(held);
});
