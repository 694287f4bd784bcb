import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createModelAgent, openAiCompatible } from "@colloquy/client/ai-sdk";
import {
  createScriptedModel,
  type ModelRecording,
  recordModel,
  replayModel,
  type ScriptedStep,
} from "@colloquy/client/testing";
import { loadRecording, openRecording, saveRecording } from "@colloquy/client/testing/node";
import { createFakeClock, makeTempFolder, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startChatServer } from "./chat-server.js";
import { fakeTurn } from "./fake-turn.js";

type Model = Parameters<typeof recordModel>[0];
const ID_A = "a".repeat(32);
const ID_B = "b".repeat(32);

const lookUp = (result: unknown) => ({
  name: "look_up",
  description: "Looks something up.",
  parameters: { type: "object" as const, properties: { id: { type: "string" } } },
  run: async () => result,
});

const agentWith = (model: Model, { stream = true, result = "found" as unknown } = {}) =>
  createModelAgent({
    name: "ada",
    model,
    stream,
    tools: [lookUp(result)],
    clock: createFakeClock(),
    retry: { maxRetries: 0 },
  });

const STEPS: ScriptedStep[] = [
  {
    reasoning: "I had better look.",
    text: "One moment.",
    toolCalls: [{ id: "call-x", name: "look_up", arguments: { id: "7" } }],
  },
  { deltas: ["For", "ty", "-two."], usage: { inputTokens: 9, outputTokens: 3, cachedTokens: 2 } },
];

async function record(steps: readonly ScriptedStep[], stream = true): Promise<ModelRecording> {
  const recorded = recordModel(createScriptedModel(steps));
  await agentWith(recorded, { stream }).ask(fakeTurn());
  return recorded.recording();
}

describe.each([true, false])("a recorded conversation, stream %s", (stream) => {
  it("is answered again word for word, with the same pieces, calls and usage", async () => {
    const live = fakeTurn();
    const recorded = recordModel(createScriptedModel(STEPS));
    const reply = await agentWith(recorded, { stream }).ask(live);
    const text = JSON.stringify(recorded.recording());
    const replayed = replayModel(JSON.parse(text) as ModelRecording);
    expect(replayed.left).toBe(2);
    const again = fakeTurn();
    expect(await agentWith(replayed, { stream }).ask(again)).toEqual(reply);
    expect(again.shown).toEqual(live.shown);
    expect(replayed.left).toBe(0);
  });

  it("may be held by other agents in other channels, whose ids stand where the old ones stood", async () => {
    const told = (id: string) => fakeTurn({ instructions: [`You are ada (agent_id: ${id}).`] });
    const steps = (id: string): ScriptedStep[] => [
      { toolCalls: [{ id: "c", name: "look_up", arguments: { id } }] },
      // The id comes in pieces, and the other one is known from a tool's result.
      { deltas: ["I am ", id.slice(0, 9), id.slice(9), "."] },
    ];
    const recorded = recordModel(createScriptedModel(steps(ID_A)));
    const result = { at: "2026-01-01T00:00:00.123456+00:00", peer: ID_A };
    await agentWith(recorded, { stream, result }).ask(told(ID_A));
    const recording = recorded.recording();
    expect(JSON.stringify(recording)).not.toContain(ID_A);
    const later = { at: "2027-05-05T10:00:00Z", peer: ID_B };
    const replayed = replayModel(recording);
    const reply = await agentWith(replayed, { stream, result: later }).ask(told(ID_B));
    expect(reply.text).toBe(`I am ${ID_B}.`);
    expect(reply.events[0]).toMatchObject({ arguments: { id: ID_B } });
  });

  it("is no answer to another question, and says where it differs", async () => {
    const recording = await record(STEPS, stream);
    const asked = agentWith(replayModel(recording), { stream }).ask(
      fakeTurn({ input: "What is the question?" }),
    );
    await expect(asked).rejects.toMatchObject({
      code: "client/recording_differs",
      message:
        "the recording has no answer to this question: it differs at request.prompt[0].content[0].text, " +
        'character 13: recorded "What is the answer?", asked "What is the question?"; ' +
        "record it again if the change is meant",
      details: { left: 2, total: 2 },
    });
  });

  it("keeps refusals, with what they say of when to ask again", async () => {
    const recorded = recordModel(
      createScriptedModel([
        {
          status: 429,
          message: "slow down, Bearer abcdefghijkl",
          headers: { "Retry-After": "3", "set-cookie": "s=1" },
        },
        "At last.",
      ]),
    );
    const clock = createFakeClock();
    const patient = (model: Model) =>
      createModelAgent({ name: "ada", model, stream, clock }).ask(fakeTurn());
    const live = patient(recorded);
    await settle();
    await clock.advanceAsync(3_000);
    await live;
    const recording = recorded.recording();
    expect(recording.exchanges[0]?.answer).toEqual({
      failure: {
        message: "slow down, Bearer (hidden)",
        status: 429,
        headers: { "Retry-After": "3" },
      },
    });
    const again = patient(replayModel(recording));
    await settle();
    expect(clock.nextTimerInMs).toBe(3_000);
    await clock.advanceAsync(3_000);
    expect((await again).text).toBe("At last.");
  });
});

describe("a recording", () => {
  it("stands in its file so that a person can read it, without keys, headers and addresses", async () => {
    await using folder = await makeTempFolder();
    await using server = await startChatServer([{ pieces: ["Forty", "-two."] }]);
    const model = openAiCompatible({
      ...{ baseUrl: server.baseUrl, model: "small", apiKey: "top-secret-key" },
      headers: { "x-token": "another-secret" },
    });
    const recorded = recordModel(model);
    const agent = createModelAgent({
      name: "ada",
      model: recorded,
      instructions: "Be brief.",
      generation: {
        temperature: 0,
        providerOptions: { openaiCompatible: { user: "ada", api_key: "third-secret" } },
      },
    });
    await agent.ask(fakeTurn());
    const path = join(folder.path, "deep", "talk.json");
    await saveRecording(path, recorded.recording());
    const text = await readFile(path, "utf8");
    expect(text).not.toMatch(/secret-key|another-secret|third-secret|127\.0\.0\.1/);
    expect(text.split("\n").length).toBeGreaterThan(20);
    const recording = await loadRecording(path);
    expect(recording.exchanges).toMatchObject([
      {
        request: {
          how: "stream",
          temperature: 0,
          prompt: [
            { role: "system", content: "Be brief." },
            { role: "user", content: [{ type: "text", text: "What is the answer?" }] },
          ],
          providerOptions: { openaiCompatible: { user: "ada", api_key: "(hidden)" } },
        },
      },
    ]);
    const { answer } = recording.exchanges[0] ?? {};
    expect(answer).toHaveProperty("pieces");
    expect(JSON.stringify(answer)).toContain('"delta":["Forty","-two."]');
  });

  it("is written by the real model, and read without it", async () => {
    await using folder = await makeTempFolder();
    const path = pathToFileURL(join(folder.path, "talk.json"));
    {
      await using opened = await openRecording(path, createScriptedModel(STEPS));
      expect((await agentWith(opened.model).ask(fakeTurn())).text).toBe("Forty-two.");
    }
    await using opened = await openRecording(path);
    expect((await agentWith(opened.model).ask(fakeTurn())).text).toBe("Forty-two.");
    await expect(openRecording(join(folder.path, "none.json"))).rejects.toThrow("ENOENT");
  });

  it("that has been asked through says so", async () => {
    const replayed = replayModel(await record(["One."]));
    const agent = agentWith(replayed);
    expect((await agent.ask(fakeTurn())).text).toBe("One.");
    await expect(agent.ask(fakeTurn())).rejects.toThrow("all 1 recorded questions have been asked");
  });

  it("answers agents that share it in whatever order they ask", async () => {
    const recorded = recordModel(createScriptedModel(({ lastText }) => `About ${lastText}`));
    for (const input of ["a", "b", "a"]) await agentWith(recorded).ask(fakeTurn({ input }));
    const agent = agentWith(replayModel(recorded.recording()));
    const texts = [];
    for (const input of ["b", "a", "a"]) texts.push((await agent.ask(fakeTurn({ input }))).text);
    expect(texts).toEqual(["About b", "About a", "About a"]);
  });

  it("keeps an answer that broke off, and breaks off again at the same place", async () => {
    const recorded = recordModel(
      createScriptedModel([
        {
          deltas: ["For", "ty"],
          breaksWith: Object.assign(new Error("gone"), { code: "ECONNRESET" }),
        },
      ]),
    );
    await expect(agentWith(recorded).ask(fakeTurn())).rejects.toThrow("gone");
    const turn = fakeTurn();
    const asked = agentWith(replayModel(recorded.recording())).ask(turn);
    await expect(asked).rejects.toMatchObject({ code: "client/model_failed", message: /gone/ });
    expect(turn.shown).toEqual(["For", "ty"]);
  });

  it("has nothing of a call that was stopped", async () => {
    const recorded = recordModel(createScriptedModel([{ hangs: true }]));
    const turn = fakeTurn();
    const asked = agentWith(recorded).ask(turn);
    turn.stop(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    expect(recorded.recording().exchanges).toEqual([]);
  });

  it("names long data by its checksum, and tells other data of that length apart", async () => {
    const picture = (data: string) =>
      fakeTurn({ input: [{ type: "image", base64_data: data, media_type: "image/png" }] });
    const recorded = recordModel(createScriptedModel(["A cat."]));
    await agentWith(recorded).ask(picture("A".repeat(4_000)));
    expect(JSON.stringify(recorded.recording())).toMatch(
      /\(4000 characters, checksum [0-9a-f]{8}\)/,
    );
    const replayed = replayModel(recorded.recording());
    await expect(agentWith(replayed).ask(picture("B".repeat(4_000)))).rejects.toMatchObject({
      code: "client/recording_differs",
    });
    expect((await agentWith(replayed).ask(picture("A".repeat(4_000)))).text).toBe("A cat.");
  });

  it.each([
    ["{", "the file is no JSON"],
    [
      '{"format":"colloquy-model-recording/0","model":{"provider":"p","name":"n"},"tools":{},"exchanges":[]}',
      "format",
    ],
    [
      '{"format":"colloquy-model-recording/1","model":{"provider":"p"},"tools":{},"exchanges":[]}',
      "model.name",
    ],
  ])("is refused when it is none: %s", async (text, why) => {
    await using folder = await makeTempFolder();
    const path = join(folder.path, "talk.json");
    await writeFile(path, text);
    await expect(loadRecording(path)).rejects.toThrow(why);
  });

  it("holds each tool once, and is no answer where one has changed", async () => {
    const recorded = recordModel(createScriptedModel(["One.", "Two."]));
    const agent = agentWith(recorded);
    await agent.ask(fakeTurn());
    await agent.ask(fakeTurn());
    const recording = recorded.recording();
    expect(Object.entries(recording.tools)).toEqual([
      [
        expect.stringMatching(/^look_up [0-9a-f]{8}$/),
        expect.objectContaining({ description: "Looks something up." }),
      ],
    ]);
    const changed = createModelAgent({
      name: "ada",
      model: replayModel(recording),
      tools: [{ ...lookUp("found"), description: "Looks nothing up." }],
    });
    await expect(changed.ask(fakeTurn())).rejects.toMatchObject({
      code: "client/recording_differs",
      message: expect.stringMatching(/at request\.tools\[0\], character \d+: .*look_up/),
    });
  });

  it("is made of model objects only", () => {
    expect(() => recordModel("some/model")).toThrow(
      "model to record: received string. Pass a model object of version 6 of the AI SDK, not a name.",
    );
  });
});
