import { until } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { ApiError } from "./api-error.js";
import type { Answer, ModelEngine, Question } from "./model-engine.js";
import { serveChat } from "./serve-chat.js";

const ANSWER: Answer = {
  ...{ text: "Pears.", calls: [], finishReason: "stop" },
  ...{ promptTokens: 9, completionTokens: 3, cachedTokens: 2 },
};
const USER = { role: "user", content: "Name a fruit." };
const WEATHER = {
  type: "function",
  function: {
    name: "weather",
    description: "Tells the weather.",
    parameters: { type: "object", properties: { town: { type: "string" } } },
  },
};

type AnswerIt = ModelEngine["answer"];

/** A server whose model is a function, and what it was asked. */
async function start(answer: AnswerIt = async () => ANSWER) {
  const questions: Question[] = [];
  const failures: unknown[] = [];
  const engine: ModelEngine = {
    model: "small",
    contextTokens: 100,
    answer(question, onText, signal) {
      questions.push(question);
      return answer(question, onText, signal);
    },
    async [Symbol.asyncDispose]() {},
  };
  const server = await serveChat(engine, { onError: (error) => failures.push(error) });
  const post = (body: unknown, signal?: AbortSignal) =>
    fetch(`${server.baseUrl}/chat/completions`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  const ask = (more: object = {}, signal?: AbortSignal) =>
    post({ model: "small", messages: [USER], ...more }, signal);
  return { server, questions, failures, post, ask };
}

it("asks the engine for what a request says, and fills in what it leaves out", async () => {
  const { server, questions, ask } = await start();
  await using _ = server;
  const call = { id: "c1", type: "function", function: { name: "weather", arguments: "{}" } };
  const response = await ask({
    messages: [
      { role: "developer", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "One." },
          { type: "text", text: "Two." },
        ],
      },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "rain" },
    ],
    ...{ tools: [WEATHER], max_tokens: 5, temperature: 0, top_p: 0.5, seed: 7, stop: "END" },
    user: "somebody",
  });
  expect(response.status).toBe(200);
  await ask();
  expect(questions).toEqual([
    {
      messages: [
        { role: "system", text: "Be brief." },
        { role: "user", text: "One.\nTwo." },
        {
          role: "assistant",
          text: "",
          calls: [{ name: "weather", arguments: {}, result: "rain" }],
        },
      ],
      functions: [
        {
          ...{ name: "weather", description: "Tells the weather." },
          parameters: WEATHER.function.parameters,
        },
      ],
      ...{ maxTokens: 5, temperature: 0, topP: 0.5, seed: 7, stop: ["END"] },
    },
    {
      ...{ messages: [{ role: "user", text: "Name a fruit." }], functions: [] },
      ...{ maxTokens: null, temperature: 1, topP: 1, seed: null, stop: [] },
    },
  ]);
});

it("gives tool calls back, whole and as a stream", async () => {
  const calls = [{ name: "weather", arguments: { town: "Bonn" } }];
  const { server, ask } = await start(async () => ({
    ...ANSWER,
    ...{ text: "", calls, finishReason: "tool_calls" },
  }));
  await using _ = server;
  const wanted = { type: "function", function: { name: "weather", arguments: '{"town":"Bonn"}' } };
  expect(await (await ask({ tools: [WEATHER] })).json()).toMatchObject({
    object: "chat.completion",
    choices: [{ message: { content: null, tool_calls: [wanted] }, finish_reason: "tool_calls" }],
    usage: { total_tokens: 12, prompt_tokens_details: { cached_tokens: 2 } },
  });
  const text = await (await ask({ tools: [WEATHER], stream: true })).text();
  const events = text.split("\n\n").map((event) => event.replace("data: ", ""));
  const chunks = events.slice(0, -2).map((event) => JSON.parse(event).choices[0]);
  expect(chunks).toMatchObject([
    { delta: { role: "assistant" }, finish_reason: null },
    { delta: { tool_calls: [{ index: 0, ...wanted }] }, finish_reason: null },
    { delta: {}, finish_reason: "tool_calls" },
  ]);
  expect(events.slice(-2)).toEqual(["[DONE]", ""]);
});

const assistant = (...ids: string[]) => ({
  role: "assistant",
  tool_calls: ids.map((id) => ({ id, function: { name: "weather", arguments: "{" } })),
});
const result = (tool_call_id: string) => ({ role: "tool", tool_call_id, content: "rain" });

it.each([
  ["messages", { messages: [] }],
  [
    "messages[0].content[0].type",
    { messages: [{ role: "user", content: [{ type: "image_url" }] }] },
  ],
  ["messages[0].content", { messages: [{ role: "user", content: 7 }] }],
  ["messages[0].role", { messages: [{ role: "poet", content: "x" }] }],
  ["messages[1].role", { messages: [USER, { role: "assistant", content: "x" }] }],
  ["messages[0].tool_call_id", { messages: [result("a")] }],
  ["messages[1].tool_calls[0]", { messages: [USER, assistant("a"), USER] }],
  ["messages[1].tool_calls", { messages: [USER, { role: "assistant" }, result("a")] }],
  [
    "messages[1].tool_calls[0].function.arguments",
    { messages: [USER, assistant("a"), result("a")] },
  ],
  ["messages[3].tool_call_id", { messages: [USER, assistant("a"), result("a"), result("a")] }],
  ["max_tokens", { max_tokens: 0 }],
  ["temperature", { temperature: -1 }],
  ["stop", { stop: "" }],
  ["n", { n: 2 }],
  ["logprobs", { logprobs: true }],
  ["response_format.type", { response_format: { type: "json_object" } }],
  ["tool_choice", { tool_choice: "required" }],
  ["tools[0].type", { tools: [{ type: "web_search" }] }],
])("refuses a wrong %s by its name", async (param, body) => {
  const { server, questions, ask } = await start();
  await using _ = server;
  const response = await ask(body);
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error).toMatchObject({ type: "invalid_request_error", param });
  expect(error.message.startsWith(`${param}: `)).toBe(true);
  expect(response.status).toBe(400);
  expect(questions).toEqual([]);
});

it("refuses what is no JSON, too long, for another model, or at another address", async () => {
  const { server, post, ask } = await start();
  await using _ = server;
  expect((await post("{")).status).toBe(400);
  expect((await post(" ".repeat(5 * 1024 * 1024))).status).toBe(413);
  const other = await ask({ model: "large" });
  expect(other.status).toBe(404);
  expect(await other.json()).toMatchObject({ error: { param: "model", code: "model_not_found" } });
  expect((await fetch(`${server.baseUrl}/embeddings`, { method: "POST" })).status).toBe(404);
});

it("says what the engine refuses, tells nothing of its own failures, and goes on", async () => {
  const refusals = [
    new ApiError(429, "Too many.", { code: "rate_limit_exceeded" }),
    new Error("a secret path"),
  ];
  const { server, failures, ask } = await start(async () => {
    const next = refusals.shift();
    if (next !== undefined) throw next;
    return ANSWER;
  });
  await using _ = server;
  const busy = await ask();
  expect(busy.status).toBe(429);
  expect(busy.headers.get("retry-after")).toBe("1");
  expect(await busy.json()).toMatchObject({ error: { type: "rate_limit_error" } });
  const broken = await ask();
  expect(broken.status).toBe(500);
  expect(await broken.text()).not.toContain("secret");
  expect(failures).toHaveLength(1);
  expect((await ask()).status).toBe(200);
});

it("ends a stream that fails in its midst with the error and without [DONE]", async () => {
  const { server, ask } = await start(async (_question, onText) => {
    onText("Pe");
    throw new Error("the model is gone");
  });
  await using _ = server;
  const text = await (await ask({ stream: true })).text();
  expect(text).toContain('"content":"Pe"');
  expect(text).toContain('"type":"server_error"');
  expect(text).not.toContain("[DONE]");
});

it.each([true, false])("stops the engine when the client goes, stream %s", async (stream) => {
  let stopped = 0;
  const { server, failures, questions, ask } = await start((_question, onText, signal) => {
    onText("Pe");
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        stopped += 1;
        reject(signal.reason);
      });
    });
  });
  await using _ = server;
  const gone = new AbortController();
  const asked = ask({ stream }, gone.signal).then((response) => response.text());
  await until(() => questions.length === 1);
  gone.abort();
  await expect(asked).rejects.toThrow();
  await until(() => stopped === 1);
  expect(failures).toEqual([]);
});
