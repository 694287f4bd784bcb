import { createFakeClock } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../packages/cli/src/program/create-program.js";
import { readText } from "../source-files.js";
import { captureTerminal } from "./capture-terminal.js";
import { settingRows } from "./setting-rows.js";

const program = createProgram(
  { terminal: captureTerminal(), clock: createFakeClock(), exitCode: 0 },
  "0.0.0",
);

type Command = Pick<ReturnType<typeof createProgram>, "name" | "options"> & {
  readonly commands: readonly Command[];
};

/** Commands that do something, with their whole names. */
function commandsOf(command: Command, name = ""): { name: string; command: Command }[] {
  const own = name === "" ? command.name() : `${name} ${command.name()}`;
  if (command.commands.length === 0) return [{ name: own, command }];
  return command.commands.flatMap((child) => commandsOf(child, own));
}

describe("docs/configuration.md", () => {
  it("has exactly the settings that there are, with their names, values and defaults", () => {
    const rows = readText("docs/configuration.md")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    expect(rows).toEqual(settingRows());
  });
});

describe("docs/cli.md", () => {
  const page = readText("docs/cli.md");
  const sections = new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((text) => [/^`([^`]+)`/.exec(text)?.[1] ?? "", text]),
  );
  const shared = page.split(/^## /m)[0] ?? "";

  it("has every command with an example, and no other", () => {
    const names = commandsOf(program).map(({ name }) => name);
    expect([...sections.keys()]).toEqual(names);
    for (const name of names) {
      expect(sections.get(name), name).toContain("```sh\ncolloquy");
    }
  });

  it.each(commandsOf(program))("has every option of $name", ({ name, command }) => {
    const text = sections.get(name) ?? "";
    const missing = command.options
      .map(({ long }) => long ?? "")
      .filter((flag) => !/^--(sockets|limits)-/.test(flag))
      .filter((flag) => !text.includes(`\`${flag}`) && !shared.includes(`\`${flag}`));
    expect(missing).toEqual([]);
    const known = new Set(command.options.map(({ long }) => long));
    const rows = [...text.matchAll(/^\| `(--[\w-]+)/gm)].map((match) => match[1]);
    expect(rows.filter((flag) => !known.has(flag))).toEqual([]);
  });

  it("names the exit codes", () => {
    for (const code of [0, 1, 2]) expect(shared).toContain(`**${code}**`);
  });
});
