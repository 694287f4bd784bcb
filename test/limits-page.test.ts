import { DEFAULT_HUB_LIMITS } from "@colloquy/hub";
import { expect, it } from "vitest";
import { readText } from "./source-files.js";

const page = readText("docs/limits.md");

it.each(Object.keys(DEFAULT_HUB_LIMITS))("documents the limit %s with its default", (name) => {
  const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\` |`));
  const shown = row?.split("|")[2]?.trim();
  const value = DEFAULT_HUB_LIMITS[name as keyof typeof DEFAULT_HUB_LIMITS];
  const forms = [value.toLocaleString("en-US"), `${value / 1_048_576} MiB`];
  expect(forms).toContain(shown);
});
