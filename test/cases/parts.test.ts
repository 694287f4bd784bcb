import { createScriptedAgent } from "@colloquy/client";
import { createModelAgent } from "@colloquy/client/ai-sdk";
import { createScriptedModel } from "@colloquy/client/testing";
import { EV_TEXT, partsOf } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { createFullTranscript } from "@colloquy/views";
import { describe, expect, it } from "vitest";
import { SURROUNDINGS, startTestNetwork } from "../fixtures/test-network.js";

const image = { type: "image", base64_data: "iVBORw==", media_type: "image/png" } as const;
const report = {
  type: "document",
  ...{ url: "https://example.org/report.pdf", title: "Report" },
  size_bytes: 20_480,
} as const;

describe.each(SURROUNDINGS)("parts beside a text, over $transport and $store", (surroundings) => {
  it("survive the log, a restart and a view, and reach a model; a reference is never loaded", async () => {
    await using network = await startTestNetwork(surroundings);
    const model = createScriptedModel(["I see a map."]);
    await network.connect().register(createModelAgent({ name: "ada", model }));
    const human = await network.human("hugo");
    const channel = await human.open({ type: "conversation", target: "ada" });
    await human.say(channel.channelId, "What is this?", { parts: [image, report] });
    await until(async () => (await network.texts(channel.channelId)).length === 2);
    const asked = JSON.stringify(model.calls[0]?.prompt.at(-1));
    expect(asked).toContain('"mediaType":"image/png"');
    expect(asked).toContain(
      '[document application/pdf \\"Report\\", 20 KiB at https://example.org/report.pdf: not loaded]',
    );
    expect(asked.match(/"type":"file"/g)).toHaveLength(1);

    const before = await network.wal(channel.channelId);
    await network.reopen();
    const after = await network.wal(channel.channelId);
    expect(after).toEqual(before);
    const [text] = after.filter(({ event_type }) => event_type === EV_TEXT);
    expect(text?.event_data["text"]).toBe("What is this?");
    expect(partsOf(text ?? { event_data: {} })).toMatchObject([image, report]);
  });

  it("may come alone, and go with an agent's answer", async () => {
    await using network = await startTestNetwork(surroundings);
    const agent = createScriptedAgent("ada", [{ text: null, events: [], parts: [image] }]);
    await network.connect().register(agent);
    const human = await network.human("hugo");
    const channel = await human.open({ type: "consulting", target: "ada" });
    await human.say(channel.channelId, "", { parts: [image] });
    await until(async () => (await channel.info()).state === "closed");
    expect(agent.turns[0]?.input).toMatchObject([image]);
    const said = (await network.wal(channel.channelId)).filter((e) => e.event_type === EV_TEXT);
    expect(said.map((e) => partsOf(e).length)).toEqual([1, 1]);
  });

  it("are refused with the field and the remedy, or the bound, and leave no trace", async () => {
    await using network = await startTestNetwork({
      ...surroundings,
      hub: { limits: { maxParts: 2, maxInlinePartBytes: 100 } },
    });
    await network.ackOnly("ada");
    const human = await network.human("hugo");
    const channel = await human.open({ type: "conversation", target: "ada" });
    const refused = (parts: readonly unknown[], fault: RegExp) =>
      expect(human.say(channel.channelId, "look", { parts: parts as never })).rejects.toThrow(
        fault,
      );
    await refused(
      [{ ...image, base64_data: "no base64!" }],
      /parts\[0\]\.base64_data.*Give base64/,
    );
    await refused([{ ...image, url: "https://example.org/a.png" }], /not both/);
    await refused([{ ...report, url: "file:///etc/passwd" }], /parts\[0\]\.url.*http or https/);
    await refused([{ type: "video" }], /parts\[0\]\.type/);
    await refused(["picture"], /parts\[0\]/);
    await refused([image, image, image], /3 parts, more than maxParts \(2\)/);
    const large = { ...image, base64_data: "AAAA".repeat(40) };
    await refused([large], /120 bytes, more than maxInlinePartBytes \(100\).*send its url/);
    expect(await network.texts(channel.channelId)).toEqual([]);
  });
});

describe("a view that is told which parts to show", () => {
  it("says in the place of the others what stood there", async () => {
    await using network = await startTestNetwork();
    const agent = createScriptedAgent("ada", ["yes"]);
    await network.connect().register(agent);
    const human = await network.human("hugo");
    const view = { name: "named_transcript", args: { parts: ["document"] } };
    const channel = await human.open({ type: "conversation", target: "ada", knobs: { view } });
    await human.say(channel.channelId, "Look.", { parts: [image] });
    await until(async () => agent.turns.length === 1);
    expect(agent.turns[0]?.input).toBe("[hugo]: Look.\n[image image/png, 4 B: not shown]");
    expect(() => createFullTranscript({ parts: [] })).not.toThrow();
  });
});
