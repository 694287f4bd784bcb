import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";
import { createDefaultAdapters } from "../index.js";

const page = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const [head = [], , ...rows] = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")));

it.each(createDefaultAdapters().map((adapter) => [adapter.manifest.type, adapter] as const))(
  "the package's page has exactly the knobs of %s",
  (type, { knobs }) => {
    const column = head.indexOf(type);
    const shown = rows.filter((cells) => cells[column] === "yes").map((cells) => cells[1]);
    expect(knobs).toBeInstanceOf(z.ZodObject);
    const known = Object.keys((knobs as z.ZodObject).shape);
    expect(shown.toSorted()).toEqual(known.toSorted());
  },
);
