import { createHubClient, type Turn } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";

const hub = createHubClient({ link: createNodeLink(process.argv[2] ?? "ws://127.0.0.1:7420") });
const echo = {
  name: "Echo",
  ask: async ({ input }: Turn) => ({ text: `You said: ${input}`, events: [] }),
};
const identity = { passport: {}, resume: { summary: "Repeats what it hears." } };
const { agentId } = await hub.attach(echo, echo.name, identity);
console.log(`Echo takes part as ${agentId}.`);
