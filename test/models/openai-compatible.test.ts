import { createModelAgent, openAiCompatible, type TurnUsage } from "@colloquy/client/ai-sdk";
import { createFakeClock, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { type ChatAnswer, startChatServer } from "./chat-server.js";
import { fakeTurn } from "./fake-turn.js";

const weather = (run: (args: unknown) => unknown) => ({
  name: "weather",
  description: "Tells the weather.",
  parameters: {
    type: "object" as const,
    properties: { town: { type: "string" } },
    required: ["town"],
  },
  run: async (args: unknown) => run(args),
});

async function start(script: readonly ChatAnswer[], stream = true) {
  const server = await startChatServer(script);
  const usages: TurnUsage[] = [];
  const clock = createFakeClock();
  const agent = createModelAgent({
    name: "ada",
    model: openAiCompatible({
      ...{ baseUrl: server.baseUrl, model: "small", apiKey: "secret-key" },
      headers: { "x-team": "blue" },
    }),
    instructions: "Be brief.",
    tools: [weather(() => "rain")],
    generation: { temperature: 0, maxTokens: 50, topP: 0.9, stop: ["END"] },
    stream,
    clock,
    onUsage: (usage) => usages.push(usage),
  });
  return { server, agent, usages, clock };
}

describe.each([true, false])("a model behind chat completions, stream %s", (stream) => {
  it("is asked with its key, its settings, the history and the tools, and answers", async () => {
    const { server, agent, usages } = await start([{ pieces: ["Forty", "-two."] }], stream);
    await using _ = server;
    const turn = fakeTurn({
      instructions: ["You are ada."],
      history: [{ role: "user", content: "Hello." }],
    });
    const reply = await agent.ask(turn);
    expect(reply).toEqual({ text: "Forty-two.", events: [] });
    expect(turn.shown).toEqual(stream ? ["Forty", "-two."] : []);
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe("Bearer secret-key");
    expect(request?.headers["x-team"]).toBe("blue");
    expect(request?.body).toMatchObject({
      model: "small",
      ...{ temperature: 0, max_tokens: 50, top_p: 0.9, stop: ["END"] },
      messages: [
        { role: "system", content: "You are ada.\n\nBe brief." },
        { role: "user", content: "Hello.\n\nWhat is the answer?" },
      ],
      tools: [{ type: "function", function: { name: "weather" } }],
    });
    expect(usages).toEqual([
      {
        ...{ inputTokens: 11, outputTokens: 7, cachedTokens: 5, totalTokens: 18 },
        ...{ modelCalls: 1, retries: 0 },
      },
    ]);
  });

  it("has its tools run and reads their results, several of one answer too", async () => {
    const { server, agent, usages } = await start(
      [
        {
          pieces: ["Let me look."],
          toolCalls: [
            { id: "a", name: "weather", arguments: '{"town":"Bonn"}' },
            { id: "b", name: "weather", arguments: '{"town":"Rome"}' },
          ],
        },
        { pieces: ["Rain in both."] },
      ],
      stream,
    );
    await using _ = server;
    const turn = fakeTurn();
    const reply = await agent.ask(turn);
    expect(reply.text).toBe("Rain in both.");
    expect(reply.events).toEqual([
      { type: "tool_call", id: "a", name: "weather", arguments: { town: "Bonn" } },
      { type: "tool_result", id: "a", result: "rain" },
      { type: "tool_call", id: "b", name: "weather", arguments: { town: "Rome" } },
      { type: "tool_result", id: "b", result: "rain" },
    ]);
    expect(turn.shown.join("")).toBe(stream ? "Let me look.\n\nRain in both." : "");
    expect(server.requests[1]?.body["messages"]).toMatchObject([
      { role: "system" },
      { role: "user" },
      { role: "assistant", content: "Let me look.", tool_calls: [{ id: "a" }, { id: "b" }] },
      { role: "tool", tool_call_id: "a", content: "rain" },
      { role: "tool", tool_call_id: "b", content: "rain" },
    ]);
    expect(usages[0]).toMatchObject({ inputTokens: 22, outputTokens: 14, modelCalls: 2 });
  });

  it("waits as long as Retry-After asks, then as long as the doubling delay", async () => {
    const { server, agent, usages, clock } = await start(
      [
        { status: 429, headers: { "retry-after": "7" } },
        { status: 429, headers: { "retry-after": new Date(clock0() + 60_000).toUTCString() } },
        { status: 503 },
        { pieces: ["At last."] },
      ],
      stream,
    );
    await using _ = server;
    const asked = agent.ask(fakeTurn());
    const waits: number[] = [];
    for (const count of [1, 2, 3]) {
      await until(() => server.requests.length === count && clock.nextTimerInMs !== null);
      waits.push(clock.nextTimerInMs ?? 0);
      await clock.advanceAsync(waits.at(-1) ?? 0);
    }
    expect((await asked).text).toBe("At last.");
    // The date was written 7 s before it was read.
    expect(waits).toEqual([7_000, 53_000, 20_000]);
    expect(usages[0]).toMatchObject({ modelCalls: 4, retries: 3, inputTokens: 11 });
  });

  it("is asked again after a connection that broke in the answer", async () => {
    const { server, agent, clock } = await start(
      [{ pieces: ["Forty"], breaks: "cut" }, { pieces: ["Forty", "-two."] }],
      stream,
    );
    await using _ = server;
    const turn = fakeTurn();
    const asked = agent.ask(turn);
    await until(() => clock.nextTimerInMs === 5_000);
    await clock.advanceAsync(5_000);
    expect((await asked).text).toBe("Forty-two.");
    expect(turn.shown).toEqual(stream ? ["Forty", "-two."] : []);
  });

  it("gives up at once on what will not pass, without a word of the key", async () => {
    const { server, agent } = await start([{ status: 401 }], stream);
    await using _ = server;
    const failure = await agent.ask(fakeTurn()).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "client/model_failed",
      message: "model small failed with status 401: refused with 401",
      details: { model: "small", attempts: 1, status: 401 },
    });
    expect(server.requests).toHaveLength(1);
  });

  it("gives up after the last repeat", async () => {
    const { server, agent, clock, usages } = await start(
      Array.from({ length: 4 }, () => ({ status: 500 })),
      stream,
    );
    await using _ = server;
    const asked = agent.ask(fakeTurn()).catch((error: unknown) => error);
    for (const delayMs of [5_000, 10_000, 20_000]) {
      await until(() => clock.nextTimerInMs === delayMs);
      await clock.advanceAsync(delayMs);
    }
    expect(await asked).toMatchObject({
      message: "model small failed after 4 attempts with status 500: refused with 500",
    });
    expect(usages[0]).toMatchObject({ modelCalls: 4, retries: 3, totalTokens: 0 });
  });
});

function clock0(): number {
  return createFakeClock().now();
}

describe("a stream of chat completions", () => {
  it("never shows what the model reasons", async () => {
    const { server, agent } = await start([{ reasoning: "Hm, six by nine.", pieces: ["42"] }]);
    await using _ = server;
    const turn = fakeTurn();
    expect((await agent.ask(turn)).text).toBe("42");
    expect(turn.shown).toEqual(["42"]);
  });

  it("counts as broken when it ends in good order without a reason to finish", async () => {
    const { server, agent, clock } = await start([
      { pieces: ["Forty"], breaks: "short" },
      { pieces: ["Fif", "ty"] },
    ]);
    await using _ = server;
    const turn = fakeTurn();
    const asked = agent.ask(turn);
    await until(() => clock.nextTimerInMs === 5_000);
    await clock.advanceAsync(5_000);
    expect((await asked).text).toBe("Fifty");
    // Another answer than the one begun is not mixed into it.
    expect(turn.shown).toEqual(["Forty"]);
  });

  it("is dropped at once when the turn is stopped", async () => {
    const { server, agent, usages } = await start([{ pieces: ["Well"], hangs: true }]);
    await using _ = server;
    const turn = fakeTurn();
    const asked = agent.ask(turn).catch((error: unknown) => error);
    await until(() => turn.shown.length === 1);
    const reason = new Error("the channel has ended");
    turn.stop(reason);
    expect(await asked).toBe(reason);
    await until(() => server.hangUps === 1);
    expect(usages[0]).toMatchObject({ modelCalls: 1 });
  });
});

it("asks a server that refuses connections again, and says so in the end", async () => {
  const server = await startChatServer([]);
  const { baseUrl } = server;
  await server[Symbol.asyncDispose]();
  const clock = createFakeClock();
  const agent = createModelAgent({
    name: "ada",
    model: openAiCompatible({ baseUrl, model: "small" }),
    retry: { maxRetries: 1, baseDelayMs: 100 },
    clock,
  });
  const asked = agent.ask(fakeTurn()).catch((error: unknown) => error);
  await until(() => clock.nextTimerInMs === 100);
  await clock.advanceAsync(100);
  expect(await asked).toMatchObject({
    code: "client/model_failed",
    message: expect.stringMatching(/^model small failed after 2 attempts: Cannot connect to API/),
    details: { attempts: 2, status: null },
  });
});

describe("wrong options of openAiCompatible", () => {
  it.each([
    [{ baseUrl: "127.0.0.1:8080", model: "small" }, "baseUrl"],
    [{ baseUrl: "ftp://127.0.0.1/v1", model: "small" }, "baseUrl"],
    [{ baseUrl: "http://127.0.0.1/v1", model: "" }, "model"],
    [{ baseUrl: "http://127.0.0.1/v1", model: "small", apiKey: "" }, "apiKey"],
  ])("%o: the field %s is named", (options, field) => {
    expect(() => openAiCompatible(options)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field }) }),
    );
  });
});
