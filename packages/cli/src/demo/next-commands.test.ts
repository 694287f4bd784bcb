import { createDiscussionAdapter } from "@colloquy/adapters";
import { fakeChannel } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { nextCommands } from "./next-commands.js";
import { DEMO_PORT } from "./start-demo-hub.js";

const channel = {
  ...fakeChannel(createDiscussionAdapter().manifest, ["a", "b"]),
  channel_id: "18eced4edcf1040077d9cb2253870c6f",
};
const usual = { url: `ws://127.0.0.1:${DEMO_PORT}`, port: DEMO_PORT };

it("names the channel, and the data file and the address only where they are not the usual ones", () => {
  const place = { data: ".colloquy/hub.db", server: usual, isUp: true };
  const commands = nextCommands([channel], place).map(({ command }) => command);
  expect(commands).toContain("npx colloquy wal read 53870c6f");
  expect(commands.at(-1)).toBe("npx tsx examples/join-the-demo/main.ts");
  const elsewhere = { data: "it's.db", server: { url: "ws://h:1", port: 1 }, isUp: true };
  const others = nextCommands([channel], elsewhere).map(({ command }) => command);
  expect(others[0]).toBe("npx colloquy wal list --data 'it'\\''s.db'");
  expect(others.at(-1)).toBe("npx tsx examples/join-the-demo/main.ts ws://h:1");
});

it("offers nothing that needs a hub once that is gone", () => {
  const place = { data: ".colloquy/hub.db", server: usual, isUp: false };
  const text = nextCommands([channel], place)
    .map(({ command }) => command)
    .join("\n");
  expect(text).toContain("wal verify");
  expect(text).not.toMatch(/tail|join/);
});
