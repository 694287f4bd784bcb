/** Starts the demonstration on a free port, and joins it twice with the program beside this one. */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { makeTempFolder } from "@colloquy/testkit";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const colloquy = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));

using folder = makeTempFolder();
const data = folder.at("hub.db");
const args = ["demo", "--json", "--port", "0", "--pace", "0", "--data", data];
const demo = fork(colloquy, args, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
try {
  const url = await addressOf(demo);
  for (const visit of ["first", "second"]) {
    const joining = fork(main, [url], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
    assert.ok(joining.stdout !== null);
    const [printed, [code]] = await Promise.all([text(joining.stdout), once(joining, "exit")]);
    console.log(`The ${visit} visit: ${printed.trim()}`);
    assert.equal(code, 0);
    assert.equal(printed, "Chiara: Welcome to the library! What would you like to read?\n");
  }
} finally {
  demo.kill("SIGINT");
}
const [code] = await once(demo, "exit");
assert.equal(code, 0, "the demonstration ends well");

/** The address of a demonstration whose round is over. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  assert.ok(stdout !== null);
  let url = "";
  for await (const line of createInterface({ input: stdout })) {
    const value = JSON.parse(line) as { hub?: { url: string }; round?: { ok: boolean } };
    url = value.hub?.url ?? url;
    if (value.round !== undefined) return url;
  }
  throw new Error("the demonstration ended before its round was over");
}
