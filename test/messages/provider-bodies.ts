import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { AgentTool } from "@colloquy/client";
import { createModelAgent } from "@colloquy/client/ai-sdk";
import { assertAnthropicMessages, assertOpenAiMessages } from "@colloquy/testkit";
import { fakeTurn } from "../models/fake-turn.js";
import type { Asked } from "./project-log.js";

/** A tool call that a provider's model makes. */
export interface Called {
  readonly id: string;
  readonly name: string;
}

interface Body {
  readonly system?: unknown;
  readonly messages: unknown;
}

/** A provider at the other end of its own package: it checks what it is sent, and answers. */
interface Provider {
  readonly name: "openai" | "anthropic";
  check(body: Body): void;
  /** A plain answer, or tool calls. */
  answer(calls: readonly Called[] | undefined): object;
}

const OPENAI: Provider = {
  name: "openai",
  check: ({ messages }) => assertOpenAiMessages(messages),
  answer(calls) {
    const tool_calls = calls?.map(({ id, name }) => ({
      ...{ id, type: "function" },
      function: { name, arguments: "{}" },
    }));
    const message = { role: "assistant", content: tool_calls ? null : "Fine.", tool_calls };
    return { choices: [{ index: 0, message, finish_reason: tool_calls ? "tool_calls" : "stop" }] };
  },
};

const ANTHROPIC: Provider = {
  name: "anthropic",
  check: (body) => assertAnthropicMessages(body),
  answer: (calls) => ({
    ...{ type: "message", id: "m", model: "m", role: "assistant" },
    stop_reason: calls ? "tool_use" : "end_turn",
    content: calls?.map(({ id, name }) => ({ type: "tool_use", id, name, input: {} })) ?? [
      { type: "text", text: "Fine." },
    ],
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
};

/** The providers whose rules are known. */
export const PROVIDERS: readonly Provider[] = [OPENAI, ANTHROPIC];

/** Runs a turn on a provider's own package; each request that it makes keeps the provider's rules. */
export async function runAgainst(
  provider: Provider,
  asked: Asked,
  {
    tools = [],
    rounds = [],
  }: { tools?: readonly AgentTool[]; rounds?: readonly (readonly Called[])[] } = {},
): Promise<number> {
  const left = [...rounds];
  let requests = 0;
  // What a fetch throws would be retried as a broken connection, so the fault is kept for later.
  let fault: unknown = null;
  const answer: typeof fetch = async (_input, init) => {
    requests += 1;
    try {
      provider.check(JSON.parse(String(init?.body)) as Body);
    } catch (error) {
      fault ??= error;
    }
    return Response.json(provider.answer(left.shift()));
  };
  const model =
    provider.name === "openai"
      ? createOpenAICompatible({
          ...{ name: "m", baseURL: "http://127.0.0.1/v1", fetch: answer },
        }).chatModel("m")
      : createAnthropic({ apiKey: "none", fetch: answer })("m");
  const agent = createModelAgent({
    ...{ name: "a", model, tools, instructions: "Be brief.", stream: false },
    generation: { maxTokens: 100 },
  });
  await agent.ask(fakeTurn(asked));
  if (fault !== null) throw fault;
  return requests;
}
