import { expect, it } from "vitest";
import { DEFAULT_MAX_ROUNDS } from "../../packages/client/src/ai-sdk/model-agent-options.js";
import { retryPolicy } from "../../packages/client/src/ai-sdk/retry-config.js";
import { readText } from "../source-files.js";

const page = readText("docs/models.md");

it("shows ten lines that are checked", () => {
  const shown = page.match(/```ts\n([\s\S]*?)```/)?.[1];
  expect(shown).toBe(readText("test/models/ten-lines.ts"));
});

it("has every default as it is", () => {
  const shown = Object.fromEntries(
    [...page.matchAll(/^\| `(\w+)` \| ([\d,]+|true) \|/gm)].map(([, name, value]) => [name, value]),
  );
  const defaults = { ...retryPolicy(), maxRounds: DEFAULT_MAX_ROUNDS };
  const held = Object.entries(defaults).map(([name, value]) => [
    name,
    typeof value === "number" ? value.toLocaleString("en-US") : String(value),
  ]);
  expect(shown).toEqual(Object.fromEntries(held));
  expect(readText("docs/limits.md")).toContain(
    `| \`maxRounds\` | ${DEFAULT_MAX_ROUNDS} | rounds |`,
  );
});
