import { createModelAgent } from "@colloquy/client/ai-sdk";
import { createScriptedModel } from "@colloquy/client/testing";
import { isTerminalState } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startTestNetwork, type TestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

/** Agents `a0`, `a1`, … each of whom passes every question on to the next, and says what came of it. */
async function openChain(network: TestNetwork, length: number, depthAllowed: number) {
  const heard: string[] = [];
  for (let at = 0; at < length; at += 1) {
    const model = createScriptedModel(({ prompt, lastText }) => {
      const isResult = prompt.at(-1)?.role === "tool";
      if (!isResult && at < length - 1) {
        const args = { target: `a${at + 1}`, prompt: lastText, timeout: 20 };
        return { toolCalls: [{ name: "delegate", arguments: args }] };
      }
      heard[at] = lastText;
      return isResult ? `a${at} heard: ${lastText}` : `a${at} is the last`;
    });
    await network.connect().register(createModelAgent({ name: `a${at}`, model }), {
      rule: { limits: { delegation_depth: depthAllowed } },
    });
  }
  return heard;
}

async function openChannels(network: TestNetwork): Promise<number> {
  const all = await network.hub.listChannels({ limit: 1_000 });
  return all.filter(({ state }) => !isTerminalState(state)).length;
}

describe.each(TRANSPORTS)("delegate inside a turn inside a delegate over %s", (transport) => {
  it("stops at the depth limit with a clear error, and leaves no channel open", async () => {
    await using network = await startTestNetwork({ transport });
    const heard = await openChain(network, 6, 2);
    const asker = await network.ackOnly("asker");
    const answer = await asker.consult("a0", "Who is there?", { timeoutMs: 20_000 });
    // The question to a0 is the first hop and that to a1 the second; a1 may not make a third.
    expect(heard[1]).toMatch(
      /^Error: failed to open consulting channel: .*exceeded delegation_depth \(3 > 2\)/,
    );
    expect(answer).toContain("a0 heard: a1 heard: Error: failed to open ");
    expect(heard.slice(2)).toEqual([]);
    await until(async () => (await openChannels(network)) === 0);
    const ends = (await network.hub.listChannels({ limit: 100 })).map((one) => one.close_reason);
    expect(ends).toEqual(["consulting_complete", "consulting_complete"]);
  });

  it("goes all the way down within the limit", async () => {
    await using network = await startTestNetwork({ transport });
    await openChain(network, 4, 5);
    const asker = await network.ackOnly("asker");
    const answer = await asker.consult("a0", "Who is there?", { timeoutMs: 20_000 });
    expect(answer).toBe("a0 heard: a1 heard: a2 heard: a3 is the last");
    await until(async () => (await openChannels(network)) === 0);
  });

  it("leaves no channel open either when the innermost never answers, or the outermost is given up", async () => {
    await using network = await startTestNetwork({ transport });
    const delegates = (target: string, timeout: number) =>
      createScriptedModel(({ prompt, lastText }) =>
        prompt.at(-1)?.role === "tool"
          ? `heard: ${lastText}`
          : { toolCalls: [{ name: "delegate", arguments: { target, prompt: "?", timeout } }] },
      );
    await network.ackOnly("silent");
    await network
      .connect()
      .register(createModelAgent({ name: "inner", model: delegates("silent", 0.2) }));
    await network
      .connect()
      .register(createModelAgent({ name: "outer", model: delegates("inner", 20) }));
    const asker = await network.ackOnly("asker");
    const answer = await asker.consult("outer", "Who is there?", { timeoutMs: 20_000 });
    expect(answer).toMatch(/^heard: heard: Error: delegate to 'silent' timed out after 0.2s/);
    await until(async () => (await openChannels(network)) === 0);

    await network
      .connect()
      .register(createModelAgent({ name: "patient", model: delegates("silent", 60) }));
    const given = new AbortController();
    const asked = asker.consult("patient", "Who is there?", { signal: given.signal });
    const inner = async () =>
      (await network.hub.listChannels({ limit: 100 })).filter(({ state }) => state === "active");
    await until(async () => (await inner()).length === 2);
    given.abort(new Error("never mind"));
    await expect(asked).rejects.toMatchObject({ code: "client/aborted" });
    await until(async () => (await openChannels(network)) === 0);
  });
});
