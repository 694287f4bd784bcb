import { createHubClient } from "@colloquy/client";
import { createModelAgent, openAiCompatible } from "@colloquy/client/ai-sdk";
import { createNodeLink } from "@colloquy/client/node";

const ada = createModelAgent({
  name: "Ada",
  model: openAiCompatible({ baseUrl: "http://127.0.0.1:8080/v1", model: "small" }),
  instructions: "You know everything about tea. Answer in one sentence.",
});
await createHubClient({ link: createNodeLink("ws://127.0.0.1:7420") }).register(ada);
