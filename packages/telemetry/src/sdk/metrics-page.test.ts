import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { EV_TEXT } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { createHubBench, faulty, makeTempFolder } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { parsePage } from "../../../../test/telemetry/parse-page.js";
import { createHubTelemetry } from "../hub/hub-telemetry.js";
import { startTelemetry } from "./start-telemetry.js";

async function open(operatorOnLoopback = true) {
  const sdk = startTelemetry({ metricsPage: true, global: false, env: {} });
  const telemetry = createHubTelemetry(sdk);
  const folder = makeTempFolder();
  const store = faulty(await openSqliteStore({ path: folder.at("hub.db") }));
  const hub = await openHub({
    ...{ store, adapters: createDefaultAdapters(), operatorOnLoopback },
    ...telemetry.hubOptions,
  });
  telemetry.watch(hub);
  const bench = createHubBench(hub);
  const { metricsPage } = sdk;
  if (metricsPage === null) throw new Error("there is no page");
  const server = await serveWebSocket(hub, { metricsPage });
  const url = `http://127.0.0.1:${server.port}/metrics`;
  const page = async () => parsePage(await metricsPage.render());
  const close = async () => {
    await hub.close();
    await server.stop();
    await sdk.stop();
    folder[Symbol.dispose]();
  };
  return { ...bench, hub, store, url, page, metricsPage, [Symbol.asyncDispose]: close };
}

describe("the page of figures", () => {
  it("counts what has happened, in a form that a parser of others reads, each with type and help", async () => {
    await using bench = await open();
    const { hub, page } = bench;
    const [a, b] = [await bench.join("ada"), await bench.join("bob")];
    const { channel_id } = await bench.open("conversation", a, [b]);
    const { envelope_id } = await bench.say(channel_id, a, "hello");
    await bench.say(channel_id, b, "hi", { causation_id: envelope_id });
    await expect(bench.say(channel_id, "nobody", "x")).rejects.toThrow();
    await expect(bench.say(channel_id, a, "x", { channel_id: "c?" })).rejects.toThrow();
    await hub.reportTurnFailure({ channel_id, agent_id: b, envelope_id, error: "boom" });
    await hub.closeChannel(channel_id);
    const families = await page();
    const value = (name: string, labels: Record<string, string> = {}) =>
      families
        .get(name)
        ?.metrics.find((one) =>
          Object.entries(labels).every(([key, wanted]) => one.labels?.[key] === wanted),
        );
    for (const family of families.values()) {
      expect(family.help, family.name).not.toBe("");
      expect(["COUNTER", "GAUGE", "HISTOGRAM"], family.name).toContain(family.type);
    }
    const admitted = value("colloquy_admissions_total", { channel_type: "conversation" });
    expect(Number(admitted?.value)).toBeGreaterThanOrEqual(2);
    const unknown = { what: "post", code: "not_found", gate: "none" };
    expect(value("colloquy_refusals_total", unknown)?.value).toBe("2");
    expect(value("colloquy_turn_failures_total")?.value).toBe("1");
    expect(value("colloquy_channels_ended_total", { outcome: "closed" })?.value).toBe("1");
    expect(value("colloquy_channels_open")?.value).toBe("0");
    expect(value("colloquy_agents")?.value).toBe("2");
    expect(value("colloquy_healthy")?.value).toBe("1");
    expect(Number(value("colloquy_store_size")?.value)).toBeGreaterThan(0);
    expect(value("colloquy_store_wal_size")).toBeDefined();
    expect(Number(value("colloquy_delivery_outstanding")?.value)).toBeGreaterThan(0);
    const commits = value("colloquy_commit_duration");
    expect(Number(commits?.buckets?.["+Inf"])).toBeGreaterThan(0);
    expect(value("colloquy_turn_duration")?.count).toBe("2");
    for (const name of ["commit_size", "connections", "commit_staged", "audit_size"]) {
      expect([...families.keys()]).toContain(`colloquy_${name}`);
    }
  });

  it("does not grow with agents, channels and what they write", async () => {
    await using bench = await open();
    const { metricsPage, hub } = bench;
    const act = async (name: string) => {
      const [a, b] = [await bench.join(`${name}a`), await bench.join(`${name}b`)];
      const { channel_id } = await bench.open("conversation", a, [b]);
      const said = { channel_id, sender_id: a, event_data: { text: name } };
      await hub.post({ ...said, event_type: EV_TEXT });
      await hub.post({ ...said, event_type: `custom.${name}` }).catch(() => undefined);
      await expect(bench.say(`no-${name}`, a, "x")).rejects.toThrow();
      await hub.closeChannel(channel_id, `because-${name}`);
      return [a, b, channel_id];
    };
    const names = await act("first");
    const lines = async () => (await metricsPage.render()).split("\n").length;
    const before = await lines();
    for (let n = 0; n < 20; n += 1) names.push(...(await act(`agent${n}`)));
    const text = await metricsPage.render();
    expect(await lines()).toBe(before);
    for (const name of names) expect(text).not.toContain(name);
    expect(text).not.toContain("agent1");
  });

  it("F-154 is shown to operators only, and to no page of a browser", async () => {
    await using bench = await open();
    const { url } = bench;
    const shown = await fetch(url, { headers: {} });
    // fetch of Node names a mode, as a browser does.
    expect([200, 401]).toContain(shown.status);
    expect((await fetch(url, { headers: { Origin: "https://evil.example" } })).status).toBe(401);
    expect((await fetch(url, { headers: { "X-Forwarded-For": "1.2.3.4" } })).status).toBe(401);
    expect((await fetch(url, { headers: { Authorization: "Bearer nobody" } })).status).toBe(401);
    expect((await fetch(url, { method: "POST" })).status).not.toBe(200);
    await using strict = await open(false);
    const refused = await fetch(strict.url);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toContain("Bearer");
    expect(await refused.text()).not.toContain("colloquy_");
  });
});
