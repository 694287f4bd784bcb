import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  agentTarget,
  fromSpeaker,
  type TransitionGraph,
  terminateTarget,
  transition,
} from "@colloquy/adapters";
import { createHubClient, createScriptedAgent } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { createSystemClock, EV_CHANNEL_CLOSED, EV_PACKET, EV_TEXT } from "@colloquy/protocol";
import { makeTempFolder, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { type ReceivedSpan, startOtlpReceiver } from "../telemetry/otlp-receiver.js";
import { parsePage } from "../telemetry/parse-page.js";
import { runCli } from "./run-cli.js";
import { type HubProcess, spawnServe } from "./spawn-serve.js";

const TIMES = { timeout: 60_000 };
const clock = createSystemClock({ unref: true });

async function urlOf(hub: HubProcess): Promise<string> {
  const line = await until(() => hub.stdout.split("\n")[0], {
    timeoutMs: 40_000,
    describe: () => `the first line of a hub: ${hub.stderr}`,
  });
  return (JSON.parse(line) as { url: string }).url;
}

/** Three agents pass a question from Desk over Store to Driver, in a workflow that ends then. */
async function runWorkflow(url: string): Promise<string> {
  const client = createHubClient({ link: createNodeLink(url) });
  const desk = await client.register(createScriptedAgent("Desk"));
  const store = await client.register(createScriptedAgent("Store", ["It weighs 12 kg."]));
  const driver = await client.register(createScriptedAgent("Driver", ["On Thursday."]));
  const graph: TransitionGraph = {
    initial_speaker: desk.agentId,
    transitions: [
      transition(fromSpeaker(desk.agentId), agentTarget(store.agentId)),
      transition(fromSpeaker(store.agentId), agentTarget(driver.agentId)),
    ],
    default_target: terminateTarget("done"),
    max_turns: 10,
  };
  const options = { type: "workflow", target: ["Store", "Driver"], knobs: { graph } };
  const channel = await desk.open(options);
  await channel.send("When does it come?");
  const isClosed = ({ event_type }: { event_type: string }) => event_type === EV_CHANNEL_CLOSED;
  await desk.waitForChannelEvent(channel.channelId, isClosed, 20_000);
  await client.drain();
  return channel.channelId;
}

const placeOf = ({ traceId, spanId }: { traceId: string; spanId: string }) =>
  `${traceId} ${spanId}`;
const linksOf = ({ links }: ReceivedSpan, kind: string) =>
  links.filter(({ attributes }) => attributes["ag2.link.kind"] === kind).map(placeOf);

describe("colloquy serve as a process that is watched", () => {
  it("sends linked spans and figures, and shows its page to operators alone", TIMES, async () => {
    await using receiver = await startOtlpReceiver();
    using folder = makeTempFolder();
    const data = folder.at("hub.db");
    const newKey = async (...args: string[]) => {
      const { lines } = await runCli(["keys", "add", "--data", data, ...args], { clock });
      return lines[0] ?? "";
    };
    const operator = await newKey("--name", "root", "--role", "operator");
    const reader = await newKey("--name", "eyes", "--role", "read_operator");
    const agent = await newKey("--name", "ada");
    const hub = spawnServe(
      ...["--port", "0", "--data", data, "--json", "--log-level", "debug"],
      ...["--otlp", receiver.url, "--metrics"],
    );
    const url = await urlOf(hub);
    const channelId = await runWorkflow(url);

    const page = (headers: Record<string, string>) =>
      fetch(`${url.replace("ws:", "http:")}/metrics`, { headers });
    const refused = await page({});
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toContain("Bearer");
    expect((await page({ Authorization: `Bearer ${operator}x` })).status).toBe(401);
    const forbidden = await page({ Authorization: `Bearer ${agent}` });
    expect(forbidden.status).toBe(403);
    expect((await refused.text()) + (await forbidden.text())).not.toContain("colloquy_");
    for (const key of [operator, reader]) {
      const shown = await page({ Authorization: `Bearer ${key}` });
      expect(shown.status).toBe(200);
      expect(shown.headers.get("content-type")).toMatch(/^text\/plain/);
      const families = parsePage(await shown.text());
      const figure = (name: string) => Number(families.get(name)?.metrics[0]?.value);
      expect(families.get("colloquy_admissions_total")?.metrics).toContainEqual({
        labels: expect.objectContaining({ channel_type: "workflow" }),
        value: expect.stringMatching(/^[1-9]/),
      });
      expect(figure("colloquy_agents")).toBe(3);
      expect(figure("colloquy_healthy")).toBe(1);
      expect(families.get("colloquy_commit_duration")?.type).toBe("HISTOGRAM");
    }

    hub.child.kill("SIGTERM");
    expect(await hub.ended).toBe(0);
    for (const key of [operator, reader, agent]) expect(hub.stderr).not.toContain(key);
    expect(new Set(receiver.spans.map(({ service }) => service))).toEqual(
      new Set(["colloquy-hub"]),
    );
    const named = (name: string) => receiver.spans.filter((span) => span.name === name);
    const [channel] = named("network.channel workflow");
    const [question] = named(`network.envelope ${EV_TEXT}`);
    const answers = named(`network.envelope ${EV_PACKET}`);
    if (channel === undefined || question === undefined) throw new Error("a span is missing");
    expect(answers).toHaveLength(2);
    for (const span of [question, ...answers]) {
      expect(span.attributes["ag2.network.channel_id"]).toBe(channelId);
      expect(linksOf(span, "in_channel")).toEqual([placeOf(channel)]);
    }
    for (const answer of answers) {
      expect(linksOf(answer, "triggered_by")).toEqual([placeOf(question)]);
    }
    expect(named("agent.lifetime Desk")).toHaveLength(1);
    expect(receiver.metricNames).toContain("colloquy.admissions");
    expect(JSON.stringify(receiver.spans)).not.toContain("12 kg");

    const log = spansIn(data);
    const ids = (spans: readonly { readonly span_id: string }[]) =>
      spans.map(({ span_id }) => span_id).sort();
    expect(ids(log)).toEqual(receiver.spans.map(({ spanId }) => spanId).sort());
  });

  it(
    "--traces alone keeps spans beside the data, over restarts, and opens no page",
    TIMES,
    async () => {
      using folder = makeTempFolder();
      const data = folder.at("hub.db");
      const run = async (act: (url: string) => Promise<unknown>) => {
        const hub = spawnServe("--port", "0", "--data", data, "--json", "--traces");
        const url = await urlOf(hub);
        await act(url);
        expect((await fetch(`${url.replace("ws:", "http:")}/metrics`)).status).toBe(404);
        hub.child.kill("SIGTERM");
        expect(await hub.ended).toBe(0);
      };
      await run(runWorkflow);
      expect(statSync(`${data}.spans.jsonl`).mode & 0o777).toBe(0o600);
      const first = spansIn(data);
      expect(first.filter(({ name }) => name === "network.channel workflow")).toHaveLength(1);
      expect(readFileSync(`${data}.spans.jsonl`, "utf8")).not.toContain("12 kg");
      await run(async () => undefined);
      const later = spansIn(data).slice(first.length);
      expect(later.map(({ name }) => name).sort()).toEqual(
        ["Desk", "Driver", "Store"].map((name) => `agent.lifetime ${name}`),
      );
      for (const { attributes } of later) {
        expect(attributes).toMatchObject({
          ...{ "colloquy.resumed": true, "colloquy.interrupted": true },
        });
      }
    },
  );

  it("without a wish neither records spans nor has a page", TIMES, async () => {
    using folder = makeTempFolder();
    const data = folder.at("hub.db");
    const hub = spawnServe("--port", "0", "--data", data, "--json");
    const url = await urlOf(hub);
    expect((await fetch(`${url.replace("ws:", "http:")}/metrics`)).status).toBe(404);
    hub.child.kill("SIGTERM");
    expect(await hub.ended).toBe(0);
    expect(() => statSync(`${data}.spans.jsonl`)).toThrow("ENOENT");
  });

  it("ends soon after a signal although its receiver never answers", TIMES, async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    using folder = makeTempFolder();
    const hub = spawnServe(
      ...["--port", "0", "--data", folder.at("hub.db"), "--json"],
      ...["--otlp", `http://127.0.0.1:${port}`],
    );
    await runWorkflow(await urlOf(hub));
    hub.child.kill("SIGINT");
    let code: number | null | undefined;
    void hub.ended.then((ended) => {
      code = ended;
    });
    // An export by itself waits for ten seconds.
    await until(() => code !== undefined, { timeoutMs: 6_500 });
    expect(code).toBe(0);
    silent.closeAllConnections();
    silent.close();
  });
});

interface KeptSpan {
  readonly name: string;
  readonly span_id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

function spansIn(data: string): KeptSpan[] {
  const lines = readFileSync(`${data}.spans.jsonl`, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as KeptSpan);
}
