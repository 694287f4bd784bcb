import { createModelAgent } from "@colloquy/client/ai-sdk";
import { createScriptedModel } from "@colloquy/client/testing";
import { traceChat, traceTools, withTelemetry } from "@colloquy/telemetry/agent";
import { startTelemetry } from "@colloquy/telemetry/node";
import { createFakeClock, settle } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { fakeTurn } from "../models/fake-turn.js";
import { startOtlpReceiver } from "./otlp-receiver.js";

const tool = (name: string) => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: "object" as const, properties: {} },
  run: async () => "done in secret",
});

it("each call of a turn's model, repeats too, and each tool is a span below the turn", async () => {
  await using receiver = await startOtlpReceiver();
  const sdk = startTelemetry({ serviceName: "ada", otlp: receiver.url, global: true, env: {} });
  const clock = createFakeClock();
  const agent = createModelAgent({
    name: "ada",
    model: createScriptedModel(
      [
        { status: 503, message: "busy" },
        {
          toolCalls: [{ name: "own" }, { name: "given" }],
          usage: { inputTokens: 7, outputTokens: 3 },
        },
        "A secret.",
      ],
      { name: "m-1" },
    ),
    tools: traceTools([tool("own")]),
    aroundModelCall: traceChat,
    clock,
  });
  // The turn's own trace is told to the hub through its context.
  const carried: string[] = [];
  const trace = { cause: null, traceparent: null, carry: (text: string) => carried.push(text) };
  const turn = fakeTurn({ tools: [tool("given")], context: { trace } as never });
  const asked = withTelemetry(agent).ask(turn);
  await settle();
  await clock.advanceAsync(5_000);
  expect((await asked).text).toBe("A secret.");
  await sdk.flush();
  await sdk.stop();
  const root = receiver.spans.find(({ name }) => name === "invoke_agent ada");
  expect(carried).toEqual([expect.stringContaining(root?.spanId ?? "no span")]);
  const below = receiver.spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  expect(below.map(({ name }) => name).sort()).toEqual([
    ...["chat m-1", "chat m-1", "chat m-1"],
    ...["execute_tool given", "execute_tool own"],
  ]);
  const chats = below.filter(({ name }) => name === "chat m-1");
  expect(chats.filter(({ attributes }) => attributes["error.type"] !== undefined)).toHaveLength(1);
  expect(chats.map(({ attributes }) => attributes["gen_ai.usage.input_tokens"])).toContain(7);
  expect(JSON.stringify(receiver.spans)).not.toContain("secret");
});
