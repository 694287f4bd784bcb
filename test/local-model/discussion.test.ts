import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createDefaultAdapters } from "@colloquy/adapters";
import { type AgentClient, createHubClient } from "@colloquy/client";
import { createModelAgent, openAiCompatible, type TurnUsage } from "@colloquy/client/ai-sdk";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { type DeltaFrame, EV_CHANNEL_CLOSED, EV_TEXT } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { makeTempFolder } from "@colloquy/testkit";
import { expect, inject, it } from "vitest";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/colloquy.js", import.meta.url));
const NAMES = ["Gita", "Karl", "Mona"] as const;
const TURNS = 6;

/** A hub on a data file, a WebSocket, and one agent per name, each with a connection and a model. */
async function openDiscussion(data: string) {
  const env = inject("modelEnv");
  const hub = await openHub({
    store: await openSqliteStore({ path: data }),
    adapters: createDefaultAdapters(),
  });
  const server = await serveWebSocket(hub);
  const usages: { readonly name: string; readonly usage: TurnUsage }[] = [];
  const clients = NAMES.map(() => createHubClient({ link: createNodeLink(server.url) }));
  const agents: AgentClient[] = [];
  for (const [at, name] of NAMES.entries()) {
    const agent = createModelAgent({
      name,
      model: openAiCompatible({
        baseUrl: env["COLLOQUY_MODEL_BASE_URL"] ?? "",
        model: env["COLLOQUY_MODEL_NAME"] ?? "",
      }),
      instructions: "You talk with two others about a garden. Answer in one short sentence.",
      generation: { maxTokens: 40, temperature: 0 },
      onUsage: (usage) => usages.push({ name, usage }),
    });
    const client = await clients[at]?.register(agent);
    if (client !== undefined) agents.push(client);
  }
  const close = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.drain()));
    await hub.drain();
  };
  return { hub, agents, usages, close };
}

it("three agents hold a discussion with a real model, turn by turn, piece by piece", async () => {
  using folder = makeTempFolder();
  const data = folder.at("talk.db");
  const { hub, agents, usages, close } = await openDiscussion(data);
  const pieces = new Map<string, Map<number, string>>();
  const note = ({ turn_id, sequence, text }: DeltaFrame): void => {
    pieces.set(turn_id, (pieces.get(turn_id) ?? new Map()).set(sequence, text));
  };
  for (const agent of agents) agent.onDelta(note);
  const [gita] = agents;
  if (gita === undefined) throw new Error("nobody is registered");
  const channel = await gita.open({
    type: "discussion",
    target: ["Karl", "Mona"],
    knobs: { max_turns: TURNS },
  });
  const { channelId } = channel;
  await channel.send("What shall we plant in the new bed?");
  // Not the hub's word but the frame: on her connection all pieces of others come before it.
  await gita.waitForChannelEvent(
    channelId,
    ({ event_type }) => event_type === EV_CHANNEL_CLOSED,
    100_000,
  );

  const wal = await hub.readWal(channelId);
  const texts = wal.filter(({ event_type }) => event_type === EV_TEXT);
  expect(texts.map(({ sender_id }) => hub.nameFor(sender_id))).toEqual([...NAMES, ...NAMES]);
  expect((await hub.getChannel(channelId)).close_reason).toBe("max_turns");
  expect(wal.filter(({ event_type }) => event_type === EV_CHANNEL_CLOSED)).toHaveLength(1);
  // Each turn but the opener answers the one before it, and no envelope is answered twice.
  const answered = texts.slice(1).map(({ causation_id }) => causation_id);
  expect(answered).toEqual(texts.slice(0, -1).map(({ envelope_id }) => envelope_id));

  for (const { causation_id, event_data } of texts.slice(1)) {
    const shown = [...(pieces.get(String(causation_id)) ?? [])].sort(([a], [b]) => a - b);
    expect(shown.map(([sequence]) => sequence)).toEqual(shown.map((_, at) => at));
    expect(shown.map(([, text]) => text).join("")).toBe(event_data["text"]);
    expect(String(event_data["text"]).trim()).not.toBe("");
  }
  expect(usages.map(({ name }) => name)).toEqual(["Karl", "Mona", "Gita", "Karl", "Mona"]);
  for (const { usage } of usages) {
    expect(usage).toMatchObject({ modelCalls: 1, retries: 0 });
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(usage.outputTokens).toBeGreaterThan(0);
    expect(usage.outputTokens).toBeLessThanOrEqual(40);
  }
  await close();
  const lines = readWal(channelId, data);
  expect(lines.map(({ envelope }) => envelope.envelope_id)).toEqual(
    wal.map(({ envelope_id }) => envelope_id),
  );
  const printed = runColloquy("wal", "read", channelId, "--data", data);
  for (const { event_data } of texts) {
    const words = String(event_data["text"]).trim().split(/\s+/).slice(0, 3).join(" ");
    expect(printed).toContain(words);
  }
  for (const name of NAMES) expect(printed).toContain(name);
});

interface WalLine {
  readonly row: string;
  readonly envelope: { readonly envelope_id: string };
}

function readWal(channelId: string, data: string): WalLine[] {
  const text = runColloquy("wal", "read", channelId, "--data", data, "--json");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as WalLine)
    .filter(({ envelope }) => envelope !== undefined);
}

function runColloquy(...args: readonly string[]): string {
  const run = spawnSync(process.execPath, [BIN, ...args], { encoding: "utf8" });
  expect(run.status, run.stderr).toBe(0);
  return run.stdout;
}
