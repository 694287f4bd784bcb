import { createScriptedAgent } from "@colloquy/client";
import { describe, expect, it } from "vitest";
import { startMeeting, untilTexts } from "./harness/meeting.js";

const KEYS = { pia: "pia's key", hanna: "hanna's key", tom: "tom's key" };
const auth = (token: string) => ({ auth: { scheme: "api_key", claim: { token } } });

describe("api_key out of AG2's AuthBlock", () => {
  it("lets a Python agent and a Python human in by their keys, beside a TypeScript agent", async () => {
    await using meeting = await startMeeting("colloquy", KEYS);
    const python = await meeting.python();
    const pia = await python.agent("pia", { script: ["pia 1"], ...auth(KEYS.pia) });
    const hanna = await python.human("hanna", auth(KEYS.hanna));
    expect(pia.passport["auth"]).toMatchObject({ scheme: "api_key", claim: {} });
    const client = meeting.client();
    await client.register(createScriptedAgent("tom", ["tom 1"]), { passport: auth(KEYS.tom) });
    const { channel_id } = await hanna.open({ type: "discussion", target: ["pia", "tom"] });
    await hanna.say(channel_id, "hanna 1");
    await untilTexts(client, channel_id, ["hanna 1", "pia 1", "tom 1"]);
  });

  it("refuses a wrong key, another's key, an unknown name and no key, as AuthError", async () => {
    await using meeting = await startMeeting("colloquy", KEYS);
    const python = await meeting.python();
    const refused = { type: "AuthError" };
    await expect(python.agent("pia", auth("wrong"))).rejects.toMatchObject(refused);
    await expect(python.agent("pia", auth(KEYS.tom))).rejects.toMatchObject(refused);
    await expect(python.agent("eve", auth(KEYS.pia))).rejects.toMatchObject(refused);
    await expect(python.agent("pia")).rejects.toMatchObject(refused);
    await python.agent("pia", auth(KEYS.pia));
  });

  it("attaches again with the passport, and not without it", async () => {
    await using meeting = await startMeeting("colloquy", KEYS);
    const python = await meeting.python();
    const first = await python.agent("pia", auth(KEYS.pia));
    await python.cut();
    const next = await meeting.python();
    await expect(next.attach("pia")).rejects.toMatchObject({ type: "AuthError" });
    await expect(next.attach("pia", auth("wrong"))).rejects.toMatchObject({ type: "AuthError" });
    const pia = await next.attach("pia", auth(KEYS.pia));
    expect(pia.agentId).toBe(first.agentId);
  });
});
