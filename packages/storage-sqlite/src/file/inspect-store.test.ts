import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { StoreError } from "@colloquy/protocol";
import { batchOf, createChainMaker } from "@colloquy/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.js";
import { inspectStore } from "./inspect-store.js";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "colloquy-inspect-"));
  path = join(folder, "hub.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("inspectStore", () => {
  it("names the holder while there is one, and nobody afterwards", async () => {
    const store = await openSqliteStore({ path });
    const held = await inspectStore(path);
    expect(held.problems).toEqual([]);
    expect(held.holder).toMatchObject({ pid: process.pid, host: hostname() });
    await store.close();
    expect(await inspectStore(path)).toEqual({ problems: [], holder: null });
  });

  it("leaves the owner at work", async () => {
    const store = await openSqliteStore({ path });
    const chain = createChainMaker();
    const channel = chain.channel();
    await inspectStore(path);
    await store.commit(batchOf({ channels: [channel] }));
    await inspectStore(path);
    expect(await store.readChannel(channel.channel_id)).toEqual(channel);
    await store.close();
  });

  it("lists what is wrong with a damaged file", async () => {
    const store = await openSqliteStore({ path });
    const chain = createChainMaker();
    const channel = chain.channel();
    const envelopes = chain.take(channel.channel_id, 500);
    await store.commit(batchOf({ channels: [channel], envelopes }));
    await store.close();
    const bytes = readFileSync(path);
    bytes.fill(0xff, 4096 * 4, 4096 * 20);
    writeFileSync(path, bytes);
    const { problems } = await inspectStore(path);
    expect(problems.length).toBeGreaterThan(0);
  });

  it("refuses a path where there is nothing", async () => {
    await expect(inspectStore(path)).rejects.toThrow(StoreError);
  });
});
