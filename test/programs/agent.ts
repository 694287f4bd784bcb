/**
 * An agent in a process of its own, so that a test can kill it: address, name and key are arguments.
 * It says who it is bound as, each turn that it begins, and each that it has answered; what begins
 * with "hang" it works on for ever.
 */
import { createHubClient, createScriptedAgent } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";

const [url = "", name = "", token = ""] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

const client = createHubClient({
  link: createNodeLink(url),
  reconnect: { baseMs: 20, maxMs: 200 },
});
const agent = createScriptedAgent(name, async ({ input, attempt }) => {
  say(`turn ${String(input)} attempt ${attempt}`);
  if (String(input).startsWith("hang")) await new Promise(() => undefined);
  return `${name} heard ${String(input)}`;
});
const auth = token === "" ? {} : { auth: { scheme: "api_key", claim: { token } } };
try {
  const { agentId } = await client.attach(agent, name, { passport: auth, resume: {} });
  say(`bound ${agentId}`);
} catch (error) {
  say(`refused ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`);
  await client.close();
}
