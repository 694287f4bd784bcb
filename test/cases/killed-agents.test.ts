import { createScriptedAgent } from "@colloquy/client";
import { createApiKeyAuth } from "@colloquy/hub";
import { AuthError } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { connectBare } from "../fixtures/bare-link.js";
import { startTestNetwork, type TestNetwork } from "../fixtures/test-network.js";
import { type Program, startProgram } from "../store/start-program.js";

/** A process takes its time to start. */
const SLOW = { timeoutMs: 20_000 };
const KEYS = { ada: "key-of-ada", hugo: "key-of-hugo", eve: "key-of-eve" };
const passportOf = (name: keyof typeof KEYS, token: string = KEYS[name]) => ({
  ...{ name, auth: { scheme: "api_key", claim: { token } } },
});

const programs: Program[] = [];
afterEach(async () => {
  for (const program of programs.splice(0)) await program.kill();
});

/** A hub in this process with a person on it, and agents that are processes. */
async function open(network: TestNetwork) {
  const startAgent = (name: string, key: string): Program => {
    const program = startProgram("../programs/agent", network.url, name, key);
    programs.push(program);
    return program;
  };
  const ada = startAgent("ada", KEYS.ada);
  const bound = await ada.line("bound");
  const hugo = await network.connect().registerHuman(passportOf("hugo"));
  const { channelId } = await hugo.open({ type: "conversation", target: "ada" });
  return { startAgent, ada, agentId: bound.slice("bound ".length), hugo, channelId };
}

const openNetwork = () =>
  startTestNetwork({
    ...{ transport: "ws", store: "sqlite" },
    hub: { authenticators: [createApiKeyAuth({ keys: KEYS })] },
  });

async function kill(program: Program, hub: TestNetwork["hub"]): Promise<void> {
  const before = hub.health().connections;
  await program.kill();
  await until(() => hub.health().connections === before - 1, SLOW);
}

describe("an agent whose process is killed", { timeout: 60_000 }, () => {
  it("F-067 gets again what its handler had not finished: delivered means acknowledged", async () => {
    await using hubAndClients = await openNetwork();
    const { hub, texts } = hubAndClients;
    const { startAgent, ada, agentId, hugo, channelId } = await open(hubAndClients);
    const answered = await hugo.say(channelId, "first");
    await until(async () => (await texts(channelId)).includes("ada heard first"), SLOW);
    await until(() => hub.inboxCursor(agentId, channelId) === answered);
    const stuck = await hugo.say(channelId, "hang on");
    await ada.line("turn hang on attempt 1");
    const stateOf = (id: string) => hub.ledger(channelId, id)[0]?.state;
    await until(() => stateOf(stuck) === "taken_up", SLOW);
    expect(stateOf(answered)).toBe("answered");
    expect(hub.inboxCursor(agentId, channelId)).toBe(answered);

    await kill(ada, hub);
    expect(stateOf(stuck)).toBe("queued");
    expect(hub.health().pending_inbox_total).toBe(1);
    const again = startAgent("ada", KEYS.ada);
    expect(await again.line("turn hang on")).toMatch(/attempt [2-9]$/);
    expect(again.lines.filter((line) => line.startsWith("turn"))).toHaveLength(1);
    await until(() => stateOf(stuck) === "taken_up", SLOW);
  });

  it("F-070 comes back as itself; who has not its key does not get its name", async () => {
    await using hubAndClients = await openNetwork();
    const { hub, texts } = hubAndClients;
    const { startAgent, ada, agentId, hugo, channelId } = await open(hubAndClients);
    await hugo.say(channelId, "hang on");
    await ada.line("turn hang on");
    await kill(ada, hub);
    await hugo.say(channelId, "are you there?");

    const back = startAgent("ada", KEYS.ada);
    expect(await back.line("bound")).toBe(`bound ${agentId}`);
    await back.line("turn hang on");
    const channels = await hub.listChannels({ agent_id: agentId });
    expect(channels.map(({ channel_id, state }) => [channel_id, state])).toEqual([
      [channelId, "active"],
    ]);
    const facts = async () => ({
      names: (await hub.listAgents()).map(({ name, agent_id }) => [name, agent_id]),
      agent: await hub.getAgent("ada"),
      wal: await hub.readWal(channelId),
      pending: hub.health().pending_inbox_total,
    });
    const before = await facts();
    expect(before.names).toEqual([
      ["ada", agentId],
      ["hugo", hugo.agentId],
    ]);

    const stranger = startAgent("ada", KEYS.eve);
    expect(await stranger.line("refused")).toContain("AuthError");
    expect(await stranger.ended).toBe(0);
    const guess = { passport: passportOf("ada", KEYS.eve) };
    const other = hubAndClients.connect();
    await expect(other.attach(createScriptedAgent("ada"), "ada", guess)).rejects.toBeInstanceOf(
      AuthError,
    );
    await expect(other.register(createScriptedAgent("ada"), guess)).rejects.toThrow();
    using bare = await connectBare(hubAndClients.link());
    const claim = { auth_scheme: "api_key", auth_claim: { token: KEYS.eve } };
    expect(await bare.hello("ada", claim)).toMatchObject({ kind: "error", code: "auth_failed" });
    expect(await facts()).toEqual(before);
    expect(await texts(channelId)).toEqual(["hang on", "are you there?"]);
  });
});
