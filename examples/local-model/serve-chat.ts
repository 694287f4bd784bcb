import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, toErrorBody } from "./api-error.js";
import type { ModelEngine } from "./model-engine.js";
import { readRequest } from "./read-request.js";
import { type AnswerFacts, toCompletion, toToolDeltas, toUsage } from "./wire-answer.js";

/** Longest body of a request, in bytes. */
const MAX_BODY = 4 * 1024 * 1024;

/** A server of chat completions that listens. */
export interface ChatServer extends AsyncDisposable {
  /** Where its API begins: `http://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
}

/** What {@link serveChat} is told. */
export interface ServeChatOptions {
  /** Default 0: any that is free. */
  readonly port?: number;
  /** Hears of each failure that is the server's own. Default: nobody does. */
  readonly onError?: (error: unknown) => void;
}

/** Serves a model over the chat completions of OpenAI, on loopback alone. */
export async function serveChat(
  engine: ModelEngine,
  { port = 0, onError = () => undefined }: ServeChatOptions = {},
): Promise<ChatServer> {
  const started = Math.floor(Date.now() / 1000);
  const server = createServer((request, response) => {
    route(engine, started, request, response).catch((error: unknown) => {
      if (!(error instanceof ApiError)) onError(error);
      refuse(response, error);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function route(
  engine: ModelEngine,
  started: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path] = (request.url ?? "").split("?");
  const line = `${request.method ?? ""} ${path ?? ""}`;
  if (line === "GET /v1/models") {
    const model = { id: engine.model, object: "model", created: started, owned_by: "local" };
    send(response, 200, { object: "list", data: [model] });
    return;
  }
  if (line !== "POST /v1/chat/completions") {
    throw new ApiError(404, `There is no ${line}.`, { code: "unknown_url" });
  }
  await complete(engine, await readBody(request), response);
}

async function complete(
  engine: ModelEngine,
  body: unknown,
  response: ServerResponse,
): Promise<void> {
  const { question, stream, includeUsage } = readRequest(body, engine.model);
  const facts: AnswerFacts = {
    id: `chatcmpl-${crypto.randomUUID()}`,
    created: Math.floor(Date.now() / 1000),
    model: engine.model,
  };
  const gone = new AbortController();
  response.once("close", () => gone.abort(new Error("the client has gone")));
  try {
    if (!stream) {
      const answer = await engine.answer(question, () => undefined, gone.signal);
      send(response, 200, toCompletion(facts, answer));
      return;
    }
    const write = createEventWriter(response, facts);
    const answer = await engine.answer(question, (content) => write({ content }), gone.signal);
    for (const delta of toToolDeltas(answer)) write(delta);
    write({}, answer.finishReason);
    if (includeUsage) write(null, null, toUsage(answer));
    response.end("data: [DONE]\n\n");
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

/**
 * Writes the pieces of a stream. Its head goes out with the first of them, so that a question which
 * is refused has its status.
 */
function createEventWriter(response: ServerResponse, facts: AnswerFacts) {
  const event = (value: object): void => {
    response.write(`data: ${JSON.stringify(value)}\n\n`);
  };
  const chunk = { ...facts, object: "chat.completion.chunk" };
  return (delta: object | null, finish_reason: string | null = null, usage?: object): void => {
    if (!response.headersSent) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      const start = { index: 0, delta: { role: "assistant", content: "" }, finish_reason: null };
      event({ ...chunk, choices: [start] });
    }
    const choices = delta === null ? [] : [{ index: 0, delta, finish_reason }];
    event({ ...chunk, choices, ...(usage === undefined ? {} : { usage }) });
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read and dropped: a socket that closes while its client writes brings no answer.
    if (size > MAX_BODY) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (size > MAX_BODY) throw new ApiError(413, `The body may have at most ${MAX_BODY} bytes.`);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new ApiError(400, "The body is no JSON.");
  }
}

function refuse(response: ServerResponse, error: unknown): void {
  const { status, body } = toErrorBody(error);
  if (!response.headersSent) {
    if (status === 429) response.setHeader("retry-after", "1");
    send(response, status, body);
    return;
  }
  // A stream that has begun has its status; the error is its last event, and no [DONE] follows.
  response.end(`data: ${JSON.stringify(body)}\n\n`);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
