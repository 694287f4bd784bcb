/**
 * An agent with a model and a tool that charges a card, in a process of its own which kills itself at
 * a chosen point of its first turn. Arguments: address, point, journal of the charges; without a point
 * it lives. The journal has a line for each call of the tool: whether it paid, and the key.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createHubClient, defineTool } from "@colloquy/client";
import { createModelAgent } from "@colloquy/client/ai-sdk";
import { createNodeLink } from "@colloquy/client/node";
import { createScriptedModel } from "@colloquy/client/testing";
import type { ClientFrame, Link } from "@colloquy/protocol";
import * as z from "zod";

const [url = "", point = "none", journal = ""] = process.argv.slice(2);

function dieAt(here: string): void {
  if (here === point) process.kill(process.pid, "SIGKILL");
}

/** Dies once what was written to the socket in this turn of the loop has left. */
function dieSoonAt(here: string): void {
  setImmediate(() => setImmediate(dieAt, here));
}

const isAnswer = (frame: ClientFrame): boolean =>
  frame.kind === "request" &&
  ["post", "post_envelope"].includes(frame.op) &&
  JSON.stringify(frame.params).includes('"idempotency_key":"turn:');
const isSettled = (frame: ClientFrame): boolean =>
  frame.kind === "receipts" && frame.items.some(({ status }) => status === "ack");

/** Watches what leaves, as any program may that brings its own link. */
function mortalLink(link: Link): Link {
  return {
    ...link,
    remote: link.remote,
    async connect(handlers, signal) {
      const connection = await link.connect(handlers, signal);
      let hasAnswered = false;
      return Object.assign(Object.create(connection) as typeof connection, {
        send(frame: ClientFrame) {
          if (isAnswer(frame)) {
            dieAt("before the post");
            hasAnswered = true;
            dieSoonAt("after the post, before its answer");
          }
          if (hasAnswered && isSettled(frame)) dieAt("after the post, before the receipt");
          connection.send(frame);
        },
      });
    },
  };
}

const paid = (): string[] =>
  existsSync(journal)
    ? readFileSync(journal, "utf8")
        .split("\n")
        .flatMap((line) => (line.startsWith("paid ") ? [line.slice("paid ".length)] : []))
    : [];

const charge = defineTool({
  name: "charge",
  description: "Charges the card.",
  input: z.object({ euros: z.number() }),
  async run({ euros }, { key }) {
    dieAt("in the tool, before it acts");
    const isRepeat = paid().includes(key);
    appendFileSync(journal, `${isRepeat ? "kept" : "paid"} ${key}\n`);
    dieAt("in the tool, after it acted");
    return `charged ${euros}`;
  },
});
const model = createScriptedModel(({ index }) => {
  dieAt(index === 0 ? "before the model call" : "after the tool");
  if (index > 0) return "Your card was charged.";
  return { toolCalls: [{ name: "charge", arguments: { euros: 12 } }] };
});
const client = createHubClient({
  link: mortalLink(createNodeLink(url)),
  reconnect: { baseMs: 20, maxMs: 200 },
});
const agent = createModelAgent({ name: "till", model, tools: [charge] });
await client.attach(agent, "till", { passport: {}, resume: {} });
process.stdout.write("bound\n");
