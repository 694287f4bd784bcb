import { createModelAgent, type ModelAgentOptions, type TurnUsage } from "@colloquy/client/ai-sdk";
import { createScriptedModel, type ScriptedStep } from "@colloquy/client/testing";
import { finish, handoff, type Tool } from "@colloquy/protocol";
import { createFakeClock, createRecordingLogger, settle } from "@colloquy/testkit";
import { UnsupportedFunctionalityError } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fakeTurn } from "./fake-turn.js";

const toolNamed = (name: string, run: Tool["run"]): Tool => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: "object", properties: {} },
  run,
});

function start(script: readonly ScriptedStep[], options: Partial<ModelAgentOptions> = {}) {
  const model = createScriptedModel(script);
  const logger = createRecordingLogger();
  const usages: TurnUsage[] = [];
  const agent = createModelAgent({
    ...{ name: "ada", model, logger, clock: createFakeClock() },
    onUsage: (usage) => usages.push(usage),
    ...options,
  });
  return { agent, model, logger, usages };
}

describe.each([true, false])("an agent with a model, stream %s", (stream) => {
  it("ends its turn at a handoff, whatever else the model wanted", async () => {
    const { agent, model } = start(
      [
        {
          text: "Bob knows better.",
          toolCalls: [{ name: "pass" }, { name: "note" }],
        },
      ],
      { stream },
    );
    const ran: string[] = [];
    const tools = [
      toolNamed("pass", async () => handoff("bob", "he knows")),
      toolNamed("note", async () => void ran.push("note")),
    ];
    const reply = await agent.ask(fakeTurn({ tools }));
    expect(reply.text).toBe("Bob knows better.");
    expect(reply.events[1]).toMatchObject({ result: handoff("bob-id", "he knows") });
    expect(model.calls).toHaveLength(1);
  });

  it("ends its turn at a finish", async () => {
    const { agent, model } = start([{ toolCalls: [{ name: "done" }] }], { stream });
    const reply = await agent.ask(
      fakeTurn({ tools: [toolNamed("done", async () => finish("all said"))] }),
    );
    expect(reply.text).toBeNull();
    expect(reply.events).toHaveLength(2);
    expect(model.calls).toHaveLength(1);
  });

  it("tells the model of tools that there are not and of arguments that are no JSON", async () => {
    const { agent, model } = start(
      [
        {
          toolCalls: [
            { name: "fly", arguments: { to: "Bonn" } },
            { name: "note", arguments: '{"text": "a' },
            { name: "note", arguments: "[1]" },
          ],
        },
        "I cannot.",
      ],
      { stream },
    );
    const ran: unknown[] = [];
    const tools = [toolNamed("note", async (args) => void ran.push(args))];
    const reply = await agent.ask(fakeTurn({ tools }));
    expect(reply.text).toBe("I cannot.");
    expect(ran).toEqual([]);
    expect(reply.events).toHaveLength(6);
    expect(reply.events[2]).toMatchObject({ name: "note", arguments: '{"text": "a' });
    const [calls, results] = model.calls[1]?.prompt.slice(-2) ?? [];
    expect(calls?.content).toHaveLength(3);
    expect(results?.content).toHaveLength(3);
    for (const part of results?.content ?? []) {
      expect(part).toMatchObject({
        type: "tool-result",
        output: { type: "error-text", value: expect.stringMatching(/^Error: /) },
      });
    }
  });

  it("keeps apart calls to which a server gave one id, or none", async () => {
    const call = { id: "call_0", name: "note" };
    const { agent, model } = start(
      [{ toolCalls: [call, { ...call, id: "" }] }, { toolCalls: [call] }, "Done."],
      { stream },
    );
    const tools = [toolNamed("note", async () => "noted")];
    const reply = await agent.ask(fakeTurn({ tools }));
    const ids = reply.events.map(({ id }) => id);
    expect(ids).toEqual(["call_0", "call_0", "call", "call", "call_0_2", "call_0_2"]);
    const asked = JSON.stringify(model.calls[2]?.prompt);
    expect(asked.match(/"toolCallId":"call_0_2"/g)).toHaveLength(2);
  });

  it("does not ask for more rounds than it may have", async () => {
    const again: ScriptedStep = { toolCalls: [{ name: "note" }] };
    const { agent, model, usages } = start([again, again, again], { stream, maxRounds: 2 });
    const tools = [toolNamed("note", async () => "noted")];
    await expect(agent.ask(fakeTurn({ tools }))).rejects.toMatchObject({
      code: "client/too_many_rounds",
      message:
        "the model still asked for tools after 2 rounds; tell it when to stop, or raise maxRounds",
      details: { max_rounds: 2 },
    });
    expect(model.calls).toHaveLength(2);
    expect(usages[0]?.modelCalls).toBe(2);
  });

  it("answers with the last text when the model closes with nothing", async () => {
    const { agent } = start([{ text: "42.", toolCalls: [{ name: "note" }] }, ""], { stream });
    const tools = [toolNamed("note", async () => "noted")];
    expect((await agent.ask(fakeTurn({ tools }))).text).toBe("42.");
  });

  it("has no further answer when it has spoken by a tool and closes with nothing", async () => {
    const { agent } = start([{ text: "I will greet.", toolCalls: [{ name: "say" }] }, ""], {
      stream,
    });
    const tools = [toolNamed("say", async () => "said")];
    expect((await agent.ask(fakeTurn({ tools }))).text).toBeNull();
  });

  it("is silent when the model says nothing and wants nothing", async () => {
    const { agent } = start([" \n"], { stream });
    expect(await agent.ask(fakeTurn())).toEqual({ text: null, events: [] });
  });

  it.each([
    ["length", "used up its tokens"],
    ["content-filter", "filter kept it back"],
  ] as const)("takes silence by %s for a failure", async (finishReason, why) => {
    const { agent } = start([{ finishReason }], { stream });
    await expect(agent.ask(fakeTurn())).rejects.toMatchObject({
      code: "client/model_failed",
      message: expect.stringContaining(why),
    });
  });

  it("answers with what there is where the model was cut short, and says so in the log", async () => {
    const { agent, logger } = start([{ text: "Forty-", finishReason: "length" }], { stream });
    expect((await agent.ask(fakeTurn())).text).toBe("Forty-");
    expect(logger.at("warn")).toEqual([
      {
        level: "warn",
        fields: expect.objectContaining({ agent_id: "ada-id", finish_reason: "length" }),
        message: "the answer was cut: it used up its tokens; raise generation.maxTokens",
      },
    ]);
  });

  it("stops the model at once with the turn, also one that takes no notice", async () => {
    const { agent, usages } = start([], {
      stream,
      model: { ...createScriptedModel([]), doGenerate: forever, doStream: forever },
    });
    const turn = fakeTurn();
    const asked = agent.ask(turn);
    await settle();
    const reason = new Error("time is up");
    turn.stop(reason);
    await expect(asked).rejects.toBe(reason);
    expect(usages).toHaveLength(1);
    await expect(agent.ask(turn)).rejects.toBe(reason);
  });

  it("shows no key that a provider repeats, neither in the log nor in the error", async () => {
    const clock = createFakeClock();
    const message = "no more for Bearer abcdefghijkl and sk-abcdefghijklmnop";
    const { agent, logger } = start(
      [
        { status: 429, message },
        { status: 403, message },
      ],
      {
        ...{ stream, clock },
      },
    );
    const asked = agent.ask(fakeTurn()).catch((error: unknown) => error);
    await settle();
    await clock.advanceAsync(5_000);
    const shown = "no more for Bearer (hidden) and (hidden)";
    expect(await asked).toMatchObject({
      message: `model scripted failed after 2 attempts with status 403: ${shown}`,
    });
    expect(logger.lines).toMatchObject([
      {
        message: "a model call failed and is made again",
        fields: { channel_id: "channel-1", agent_id: "ada-id", status: 429, error: shown },
      },
    ]);
  });

  it("stops waiting for another attempt with the turn", async () => {
    const clock = createFakeClock();
    const { agent } = start([{ status: 429 }], { stream, clock });
    const turn = fakeTurn();
    const asked = agent.ask(turn);
    await settle();
    expect(clock.pendingTimers).toBe(1);
    const reason = new Error("the channel has ended");
    turn.stop(reason);
    await expect(asked).rejects.toBe(reason);
    expect(clock.pendingTimers).toBe(0);
  });

  it("stops a running tool with the turn", async () => {
    const { agent } = start([{ toolCalls: [{ name: "dig" }] }], { stream });
    const turn = fakeTurn({ tools: [toolNamed("dig", forever)] });
    const asked = agent.ask(turn);
    await settle();
    const reason = new Error("the channel has ended");
    turn.stop(reason);
    await expect(asked).rejects.toBe(reason);
  });

  it("asks again in words where a model cannot read what a peer has sent", async () => {
    const scripted = createScriptedModel(["I see none."]);
    const picky =
      <T>(next: (options: Asked) => T) =>
      (options: Asked) => {
        if (JSON.stringify(options.prompt).includes('"type":"file"')) {
          throw new UnsupportedFunctionalityError({ functionality: "file part media type x/y" });
        }
        return next(options);
      };
    const { agent, logger } = start([], {
      stream,
      model: {
        ...scripted,
        doGenerate: picky(scripted.doGenerate),
        doStream: picky(scripted.doStream),
      },
    });
    const input = [
      { type: "text" as const, text: "Look:" },
      { type: "document" as const, base64_data: "AAAA", media_type: "x/y" },
    ];
    expect((await agent.ask(fakeTurn({ input }))).text).toBe("I see none.");
    expect(scripted.calls[0]?.lastText).toBe("Look:\n(file: x/y, which the model cannot read)");
    expect(logger.lines.map(({ message }) => message)).toContain(
      "the model cannot read a file of the conversation; a note stands in its place",
    );
  });

  it("asks again after an answer of nothing at all", async () => {
    const clock = createFakeClock();
    const scripted = createScriptedModel(["Here."]);
    let asked = 0;
    const hollow =
      <T>(next: (options: Asked) => T) =>
      (options: Asked) => {
        asked += 1;
        return asked === 1 ? nothing(stream) : next(options);
      };
    const { agent } = start([], {
      ...{ stream, clock },
      model: {
        ...scripted,
        doGenerate: hollow(scripted.doGenerate),
        doStream: hollow(scripted.doStream),
      },
    });
    const reply = agent.ask(fakeTurn());
    await settle();
    await clock.advanceAsync(5_000);
    expect((await reply).text).toBe("Here.");
    expect(asked).toBe(2);
  });

  it("is not harmed by a listener for usage that throws", async () => {
    const onUsage = () => {
      throw new Error("no disk");
    };
    const { agent, logger } = start(["Fine."], { stream, onUsage });
    expect((await agent.ask(fakeTurn())).text).toBe("Fine.");
    expect(logger.lines.at(-1)).toMatchObject({
      level: "error",
      message: "onUsage threw",
      fields: { channel_id: "channel-1", agent_id: "ada-id", error: "no disk" },
    });
  });

  it("lets somebody stand around each call of the model, repeats too", async () => {
    const clock = createFakeClock();
    const seen: unknown[] = [];
    const { agent } = start(
      [{ status: 500 }, { text: "Hi.", usage: { inputTokens: 3, outputTokens: 1 } }],
      {
        ...{ stream, clock },
        async aroundModelCall(call, run) {
          seen.push(call);
          return await run((facts) => void seen.push(facts)).catch((error: unknown) => {
            seen.push("failed");
            throw error;
          });
        },
      },
    );
    const asked = agent.ask(fakeTurn());
    await settle();
    await clock.advanceAsync(5_000);
    await asked;
    const call = { provider: "scripted", model: "scripted" };
    expect(seen).toMatchObject([
      call,
      "failed",
      call,
      { finishReasons: ["stop"], inputTokens: 3, outputTokens: 1 },
    ]);
  });
});

type Asked = Parameters<ReturnType<typeof createScriptedModel>["doStream"]>[0];

/** What a server gives that hangs up politely before it has said a word. */
async function nothing(stream: boolean): Promise<never> {
  const tokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };
  const empty = {
    ...{ content: [], warnings: [], usage: { inputTokens: tokens, outputTokens: tokens } },
    finishReason: { unified: "other", raw: undefined },
  };
  const closed = { stream: new ReadableStream({ start: (controller) => controller.close() }) };
  return (stream ? closed : empty) as never;
}

function forever(): Promise<never> {
  return new Promise(() => undefined);
}

describe("a model of the SDK's older specification", () => {
  const quiet = globalThis as { AI_SDK_LOG_WARNINGS?: boolean };
  beforeAll(() => {
    quiet.AI_SDK_LOG_WARNINGS = false;
  });
  afterAll(() => {
    delete quiet.AI_SDK_LOG_WARNINGS;
  });
  it.each([true, false])("takes turns like any other, stream %s", async (stream) => {
    const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 };
    const end = { finishReason: "unknown" as const, usage };
    const pieces = [
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Forty" },
      { type: "text-delta", id: "0", delta: "-two." },
      { type: "text-end", id: "0" },
      { type: "finish", ...end },
    ] as const;
    const { agent, usages } = start([], {
      stream,
      model: {
        ...{ specificationVersion: "v2", provider: "old", modelId: "m", supportedUrls: {} },
        doGenerate: async () => ({
          ...{ content: [{ type: "text" as const, text: "Forty-two." }], warnings: [], ...end },
        }),
        doStream: async () => ({
          stream: new ReadableStream({
            start(controller) {
              for (const piece of pieces) controller.enqueue(piece);
              controller.close();
            },
          }),
        }),
      },
    });
    const turn = fakeTurn();
    expect((await agent.ask(turn)).text).toBe("Forty-two.");
    expect(turn.shown).toEqual(stream ? ["Forty", "-two."] : []);
    expect(usages[0]).toMatchObject({ inputTokens: 3, outputTokens: 2, totalTokens: 5 });
  });
});

describe("wrong options of a model agent", () => {
  const model = createScriptedModel([]);
  it.each([
    [{ name: "" }, "name"],
    [{ model: {} }, "model"],
    [{ model: "" }, "model"],
    [{ maxRounds: 0 }, "maxRounds"],
    [{ stream: "yes" }, "stream"],
    [{ instructions: 7 }, "instructions"],
    [{ generation: { temperature: -1 } }, "temperature"],
    [{ generation: { topP: 0 } }, "topP"],
    [{ generation: { maxTokens: 1.5 } }, "maxTokens"],
    [{ generation: { stop: [""] } }, "stop[0]"],
    [{ generation: { max_tokens: 5 } }, ""],
    [{ retry: { maxRetries: -1 } }, "maxRetries"],
    [{ retry: { baseDelayMs: Number.NaN } }, "baseDelayMs"],
  ])("%o: the field %s is named", (wrong, field) => {
    const options = { name: "ada", model, ...wrong } as unknown as ModelAgentOptions;
    expect(() => createModelAgent(options)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        details: expect.objectContaining({ field }),
      }),
    );
  });
});
