import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as the server got it. */
export interface ChatRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A tool call in a scripted answer. */
interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One answer of the server. */
export interface ChatAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Pieces of the text; a request without `stream` gets them joined. */
  readonly pieces?: readonly string[];
  readonly reasoning?: string;
  readonly toolCalls?: readonly ChatToolCall[];
  /** `cut`: the socket is destroyed behind the pieces. `short`: the answer ends there in good order. */
  readonly breaks?: "cut" | "short";
  /** The answer is begun and never ended. */
  readonly hangs?: boolean;
}

/** A small server that speaks chat completions by a script. */
export interface ChatServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: readonly ChatRequest[];
  /** Answers whose socket was closed before they were whole. */
  readonly hangUps: number;
}

const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 5 },
};

/** Starts a {@link ChatServer} on a free port of loopback; it answers by a list or a function. */
export async function startChatServer(
  script: readonly ChatAnswer[] | ((request: ChatRequest) => ChatAnswer),
): Promise<ChatServer> {
  const answers = typeof script === "function" ? [] : [...script];
  const requests: ChatRequest[] = [];
  let hangUps = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as ChatRequest["body"];
    const asked = { headers: request.headers, body };
    requests.push(asked);
    response.on("close", () => {
      if (!response.writableFinished) hangUps += 1;
    });
    const answer =
      typeof script === "function" ? script(asked) : (answers.shift() ?? { status: 404 });
    if (answer.status !== undefined && answer.status !== 200) refuse(response, answer);
    else if (body["stream"] === true) await stream(response, answer);
    else if (answer.breaks === "cut") cut(response);
    else json(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    get hangUps() {
      return hangUps;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refuse(response: ServerResponse, { status = 500, headers = {} }: ChatAnswer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { message: `refused with ${status}` } }));
}

function cut(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"choices":', () => response.socket?.destroy());
}

function json(response: ServerResponse, answer: ChatAnswer): void {
  response.writeHead(200, { "content-type": "application/json" });
  const { pieces = [], reasoning, toolCalls = [] } = answer;
  const message = {
    role: "assistant",
    content: pieces.join("") || null,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toCall) }),
  };
  const finish_reason = toolCalls.length === 0 ? "stop" : "tool_calls";
  const choices = [{ index: 0, message, finish_reason }];
  response.end(JSON.stringify({ id: "chat-1", model: "small", choices, usage: USAGE }));
}

async function stream(response: ServerResponse, answer: ChatAnswer): Promise<void> {
  const { pieces = [], reasoning, toolCalls = [] } = answer;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta: object, finish_reason: string | null = null): Promise<void> =>
    write(response, {
      id: "chat-1",
      model: "small",
      choices: [{ index: 0, delta, finish_reason }],
    });
  await send({ role: "assistant" });
  if (reasoning !== undefined) await send({ reasoning_content: reasoning });
  for (const content of pieces) await send({ content });
  for (const [index, call] of toolCalls.entries()) {
    // Names and arguments come in pieces, as big providers send them.
    await send({ tool_calls: [{ index, ...toCall({ ...call, arguments: "" }) }] });
    await send({ tool_calls: [{ index, function: { arguments: call.arguments } }] });
  }
  if (answer.hangs === true) return;
  if (answer.breaks === "cut") return void response.socket?.destroy();
  if (answer.breaks === "short") return void response.end();
  await send({}, toolCalls.length === 0 ? "stop" : "tool_calls");
  await write(response, { id: "chat-1", model: "small", choices: [], usage: USAGE });
  response.end("data: [DONE]\n\n");
}

function toCall({ id, name, arguments: args }: ChatToolCall) {
  return { id, type: "function", function: { name, arguments: args } };
}

function write(response: ServerResponse, value: object): Promise<void> {
  return new Promise((resolve) =>
    response.write(`data: ${JSON.stringify(value)}\n\n`, () => resolve()),
  );
}
