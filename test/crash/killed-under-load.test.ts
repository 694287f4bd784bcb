import { makeTempFolder, until } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { check, type Verdict } from "../checker/check.js";
import { runCli } from "../cli/run-cli.js";
import { createDice } from "../simulation/dice.js";
import { countRepeats, readJournals } from "./journals.js";
import { type Load, startLoad } from "./load.js";
import { type ServeProcess, startServe } from "./serve-process.js";

/** How often the hub is killed; `KILLS` in the environment for more. */
const KILLS = Number(process.env["KILLS"] ?? 8);
/** Posts between two kills: so many at least, and up to so many more. */
const POSTS = 40;
const MORE_POSTS = 120;

it(`a hub that is killed ${KILLS} times under load loses nothing, doubles nothing and stops nobody`, {
  timeout: 60_000 + KILLS * 20_000,
}, async () => {
  using folder = makeTempFolder();
  const data = folder.at("hub.db");
  const dice = createDice(Number(process.env["SEED"] ?? Date.now()));
  let hub: ServeProcess = await startServe(data, 0);
  const { url, port } = hub;
  const load = await startLoad(url, dice);
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const enough = load.acknowledged + POSTS + dice.int(MORE_POSTS);
      await until(() => load.acknowledged >= enough, {
        timeoutMs: 60_000,
        describe: () => `${load.acknowledged} of ${enough} acknowledged posts`,
      });
      await hub.kill();
      hub = await startServe(data, port);
    }
    await load.wind();
    await until(async () => (await load.finish()) === 0, {
      timeoutMs: 60_000,
      describe: "the end of every channel",
    });
    let found: Verdict = await verdictOn(data, load);
    await until(
      async () => {
        found = await verdictOn(data, load);
        return found.findings.length === 0;
      },
      { timeoutMs: 30_000, describe: () => JSON.stringify(found.findings.slice(0, 20), null, 1) },
    );
  } finally {
    await load.close();
  }
  expect(await hub.end()).toBe(0);

  const verdict = await verdictOn(data, load);
  expect(verdict.findings).toEqual([]);
  expect(verdict.envelopes).toBeGreaterThan(KILLS * POSTS);
  expect(load.resent).toBeGreaterThan(KILLS);
  const repeats = countRepeats(load.journals);
  process.stdout.write(
    `${KILLS} kills: ${verdict.channels} channels, ${verdict.envelopes} envelopes, ${load.acknowledged} acknowledged posts, ${load.resent} sent again, ${repeats} deliveries repeated\n`,
  );
  const verified = await runCli(["wal", "verify", "--data", data]);
  expect(verified.stdout).toContain(`verified: ${verdict.channels} channels`);
  expect(verified.code).toBe(0);
});

/** What the checker says of the log so far, where everybody claims to have seen everything. */
async function verdictOn(data: string, load: Load): Promise<Verdict> {
  const { lines, code, stderr } = await runCli(["wal", "export", "--data", data]);
  if (code !== 0) throw new Error(stderr);
  return check("export", lines, readJournals(load.journals));
}
