import { expect, inject, it } from "vitest";

const baseUrl = () => inject("modelEnv")["COLLOQUY_MODEL_BASE_URL"] ?? "";
const model = () => inject("modelEnv")["COLLOQUY_MODEL_NAME"] ?? "";
const QUESTION = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Name a fruit." },
];

function ask(body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${baseUrl()}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: model(), messages: QUESTION, temperature: 0, ...body }),
    ...(signal === undefined ? {} : { signal }),
  });
}

interface Completion {
  readonly choices: { message: { content: string }; finish_reason: string }[];
  readonly usage: Record<string, number>;
}
const completionOf = async (body: object): Promise<Completion> =>
  (await (await ask(body)).json()) as Completion;
const textOf = ({ choices }: Completion) => choices[0]?.message.content ?? "";

interface Chunk {
  readonly choices: { delta: { content?: string }; finish_reason: string | null }[];
  readonly usage?: Record<string, number>;
}

/** Events of a stream; the last is `[DONE]`. */
async function eventsOf(body: object): Promise<{ chunks: Chunk[]; last: string | undefined }> {
  const response = await ask({ stream: true, ...body });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = (await response.text())
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => event.slice("data: ".length));
  return { chunks: events.slice(0, -1).map((text) => JSON.parse(text)), last: events.at(-1) };
}

it("lists the model that it has", async () => {
  const list = await (await fetch(`${baseUrl()}/models`)).json();
  expect(list).toMatchObject({ object: "list", data: [{ id: model(), object: "model" }] });
});

it("says the same whole and in pieces, counts tokens, and ends at the most of them", async () => {
  const whole = await completionOf({ max_tokens: 12 });
  const { chunks, last } = await eventsOf({
    max_tokens: 12,
    stream_options: { include_usage: true },
  });
  expect(last).toBe("[DONE]");
  const pieces = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? ""));
  expect(pieces.filter((piece) => piece !== "").length).toBeGreaterThan(3);
  expect(pieces.join("")).toBe(textOf(whole));
  expect(textOf(whole)).not.toBe("");
  expect(whole.choices[0]?.finish_reason).toBe("length");
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("length");
  const { usage } = whole;
  expect(usage["completion_tokens"]).toBe(12);
  expect(usage["prompt_tokens"]).toBeGreaterThan(10);
  expect(usage["total_tokens"]).toBe((usage["prompt_tokens"] ?? 0) + 12);
  expect(chunks.at(-1)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: usage["prompt_tokens"], completion_tokens: 12 },
  });
});

it("ends before a text at which it is to stop", async () => {
  const free = textOf(await completionOf({ max_tokens: 12 }));
  const word = free.split(" ")[2] ?? "";
  expect(word.length).toBeGreaterThan(0);
  const stopped = await completionOf({ max_tokens: 12, stop: [word] });
  expect(textOf(stopped)).toBe(free.slice(0, free.indexOf(word)));
  expect(stopped.choices[0]?.finish_reason).toBe("stop");
});

it("lets go of an answer whose client has gone, and answers the next", async () => {
  const gone = new AbortController();
  const response = await ask({ stream: true, max_tokens: 3_000, temperature: 1 }, gone.signal);
  const reader = response.body?.getReader();
  await reader?.read();
  gone.abort();
  await expect(reader?.read()).rejects.toThrow();
  // Three thousand tokens would take far longer than this test may.
  expect(textOf(await completionOf({ max_tokens: 3 }))).not.toBe("");
}, 20_000);

it("answers those who ask at the same time one after the other", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => completionOf({ max_tokens: 8 })));
  expect(new Set(answers.map(textOf)).size).toBe(1);
});

it("refuses a conversation that it has no room for, by the name of its field", async () => {
  const messages = [{ role: "user", content: "bean ".repeat(6_000) }];
  for (const stream of [true, false]) {
    const response = await ask({ messages, stream });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { param: "messages", code: "context_length_exceeded", type: "invalid_request_error" },
    });
  }
});
