import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { makeTempFolder } from "@colloquy/testkit";
import { expect, inject, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SOURCE = ["--import", "tsx", "--conditions=@colloquy/source"];

it.each(["round-table", "streaming"])(
  "the example %s runs on a real model as it stands",
  (name) => {
    using folder = makeTempFolder();
    const data = folder.at("talk.db");
    const run = spawnSync(process.execPath, [...SOURCE, `examples/${name}/main.ts`], {
      ...{ cwd: ROOT, encoding: "utf8" },
      env: { ...process.env, ...inject("modelEnv"), COLLOQUY_MODEL: "", COLLOQUY_DATA: data },
    });
    expect(run.status, run.stdout + run.stderr).toBe(0);
    expect(run.stdout).toContain("(max_turns)");

    const [channel] = colloquy("wal", "list", "--data", data, "--json").map((line) =>
      String(line["channel_id"]),
    );
    const texts = colloquy(
      "wal",
      "read",
      channel ?? "",
      "--data",
      data,
      "--type",
      "ag2.msg.text",
      "--json",
    );
    const said = texts.map(
      ({ envelope }) => (envelope as { event_data: { text: string } }).event_data.text,
    );
    expect(said.length).toBeGreaterThanOrEqual(4);
    // What the example has printed is what the command finds in the file.
    for (const text of said) expect(run.stdout).toContain(text);
  },
);

function colloquy(...args: readonly string[]): Record<string, unknown>[] {
  const bin = `${ROOT}packages/cli/bin/colloquy.js`;
  const run = spawnSync(process.execPath, [bin, ...args], { encoding: "utf8" });
  expect(run.status, run.stderr).toBe(0);
  return run.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
