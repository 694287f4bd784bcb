import { expect, it } from "vitest";
import { fetchModel } from "../../examples/local-model/fetch-model.js";
import { installLibrary } from "../../examples/local-model/install-library.js";
import { openLlamaEngine } from "../../examples/local-model/open-llama-engine.js";
import { serveChat } from "../../examples/local-model/serve-chat.js";

const WEATHER = {
  type: "function",
  function: {
    name: "weather",
    description: "Tells the weather of a town",
    parameters: {
      type: "object",
      properties: { town: { anyOf: [{ type: "string" }, { type: "null" }] } },
      required: ["town"],
      additionalProperties: false,
    },
  },
};

/** A question, the call that it led to, its result, and what was said of it. */
const example = (town: string, weather: string) => [
  { role: "user", content: `What is the weather in ${town}?` },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: town, function: { name: "weather", arguments: JSON.stringify({ town }) } }],
  },
  { role: "tool", tool_call_id: town, content: weather },
  { role: "assistant", content: `${weather}.` },
];

it("a model that is told of tools calls one by its schema, and goes on from the result", async () => {
  const [library, { path }] = await Promise.all([installLibrary(), fetchModel()]);
  await using engine = await openLlamaEngine({ library, modelPath: path });
  await using server = await serveChat(engine);
  const ask = async (messages: readonly object[]) => {
    const response = await fetch(`${server.baseUrl}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({
        ...{ model: engine.model, messages, tools: [WEATHER], temperature: 0, max_tokens: 30 },
      }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as { choices: [{ finish_reason: string; message: Message }] };
  };
  // So small a model needs to be shown how.
  const shown = [...example("Bonn", "Rain"), ...example("Oslo", "Snow")];
  const asked = [...shown, { role: "user", content: "What is the weather in Rome?" }];
  const [called] = (await ask(asked)).choices;
  expect(called.finish_reason).toBe("tool_calls");
  const [call] = called.message.tool_calls ?? [];
  expect(call?.function.name).toBe("weather");
  expect(Object.keys(JSON.parse(call?.function.arguments ?? ""))).toEqual(["town"]);

  const result = { role: "tool", tool_call_id: call?.id, content: "Sun" };
  const [said] = (await ask([...asked, called.message, result])).choices;
  expect(said.message.role).toBe("assistant");
  expect(["stop", "length", "tool_calls"]).toContain(said.finish_reason);
});

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: {
    readonly id: string;
    readonly function: { name: string; arguments: string };
  }[];
}
