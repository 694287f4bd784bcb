import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import { EV_TEXT } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { settle } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { createScriptedAgent } from "../agent/scripted-agent.js";
import { registerDirect } from "../register-direct.js";

it("the answer to a question goes to who asked it and not to the handler", async () => {
  const hub = await openHub({ store: createMemoryStore(), adapters: createDefaultAdapters() });
  const handled: string[] = [];
  const ada = await registerDirect(hub, createScriptedAgent("ada"), {
    onEnvelope: ({ event_type }) => void handled.push(event_type),
  });
  await registerDirect(hub, createScriptedAgent("bob", ["42"]));
  expect(await ada.consult("bob", "well?")).toBe("42");
  await settle(20);
  expect(handled).not.toContain(EV_TEXT);
  expect(hub.health().pending_inbox_total).toBe(0);
  await hub.close();
});
