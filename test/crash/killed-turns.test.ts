import { existsSync, readFileSync } from "node:fs";
import { agentTarget, fromSpeaker, transition } from "@colloquy/adapters";
import { EV_PACKET, EV_TEXT } from "@colloquy/protocol";
import { makeTempFolder, until } from "@colloquy/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { startTestNetwork, type TestNetwork } from "../fixtures/test-network.js";
import { type Program, startProgram } from "../store/start-program.js";

/** A process takes its time to start. */
const SLOW = { timeoutMs: 20_000 };

/** Where an agent may be in its turn when its process dies, and how often its tool has been called by then. */
const POINTS: readonly (readonly [point: string, calls: number])[] = [
  ["before the model call", 0],
  ["in the tool, before it acts", 0],
  ["in the tool, after it acted", 1],
  ["after the tool", 1],
  ["before the post", 1],
  ["after the post, before its answer", 1],
  ["after the post, before the receipt", 1],
];

const programs: Program[] = [];
afterEach(async () => {
  for (const program of programs.splice(0)) await program.kill();
});

function startTill(network: TestNetwork, point: string, journal: string): Program {
  const program = startProgram("../programs/charging-agent", network.url, point, journal);
  programs.push(program);
  return program;
}

/** What the tool has done, call by call: `paid <key>` or `kept <key>`. */
function callsIn(journal: string): string[] {
  return existsSync(journal) ? readFileSync(journal, "utf8").split("\n").filter(Boolean) : [];
}

async function openChannel(network: TestNetwork, type: "discussion" | "workflow") {
  const hugo = await network.human("hugo");
  const { agent_id: till } = await network.hub.getAgent("till");
  const graph = {
    initial_speaker: hugo.agentId,
    transitions: [transition(fromSpeaker(hugo.agentId), agentTarget(String(till)))],
    default_target: agentTarget(hugo.agentId),
    max_turns: 10,
  };
  const knobs = type === "workflow" ? { graph } : {};
  const channel = await hugo.open({ type, target: "till", knobs });
  const answers = async () =>
    (await network.wal(channel.channelId)).filter(
      ({ sender_id, event_type }) =>
        sender_id === till && (event_type === EV_TEXT || event_type === EV_PACKET),
    );
  return { hugo, channel, answers, till: String(till) };
}

const TYPES = ["discussion", "workflow"] as const;

describe.each(TYPES)("a turn in a %s whose process is killed", (type) => {
  it.each(POINTS)(
    "F-050 %s is run again, answers once, and its tool pays once under the same key",
    async (point, callsBefore) => {
      await using network = await startTestNetwork({ transport: "ws", store: "sqlite" });
      using folder = makeTempFolder();
      const journal = folder.at("charges");
      const first = startTill(network, point, journal);
      await first.line("bound");
      const { hugo, channel, answers, till } = await openChannel(network, type);
      const asked = await hugo.say(channel.channelId, "Charge 12 euros.");
      expect(await first.ended).toBeNull();
      expect(callsIn(journal)).toHaveLength(callsBefore);

      startTill(network, "none", journal);
      const stateNow = () => network.hub.ledger(channel.channelId, asked)[0]?.state;
      await until(() => stateNow() === "answered", SLOW);
      await until(() => network.hub.inboxCursor(till, channel.channelId) >= asked, SLOW);
      expect(await answers()).toHaveLength(1);
      const [answer] = await answers();
      expect(answer?.event_data["text"] ?? answer?.event_data["body"]).toBe(
        "Your card was charged.",
      );
      expect(answer?.causation_id).toBe(asked);

      const calls = callsIn(journal);
      const key = `call:${channel.channelId}:${asked}:charge:1`;
      expect(calls.filter((call) => call.startsWith("paid"))).toEqual([`paid ${key}`]);
      expect(new Set(calls.map((call) => call.slice("paid ".length)))).toEqual(new Set([key]));
      // The operator sees that it was handed out more than once.
      expect(network.hub.ledger(channel.channelId, asked)[0]?.attempt).toBeGreaterThanOrEqual(2);
    },
    60_000,
  );
});

describe("a turn whose hub goes and comes back", () => {
  it("F-050 is answered once, and its tool has paid once", async () => {
    await using network = await startTestNetwork({ transport: "ws", store: "sqlite" });
    using folder = makeTempFolder();
    const journal = folder.at("charges");
    const till = startTill(network, "none", journal);
    await till.line("bound");
    const { hugo, channel, answers } = await openChannel(network, "discussion");
    const asked = await hugo.say(channel.channelId, "Charge 12 euros.");
    await network.reopen();
    await until(async () => (await answers()).length > 0, SLOW);
    await until(async () => (await network.hub.pendingTurnsFor(hugo.agentId)).length === 1, SLOW);
    expect(await answers()).toHaveLength(1);
    const paid = callsIn(journal).filter((call) => call.startsWith("paid"));
    expect(paid).toEqual([`paid call:${channel.channelId}:${asked}:charge:1`]);
  }, 60_000);
});
