import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { Line } from "./harness/screen.js";
import { type Stage, setStage, type Writer } from "./harness/stage.js";

const SLOW = { timeoutMs: 15_000 };

const marked = ({ text, state, hasGaps }: Line): string =>
  `${hasGaps ? "…" : ""}${text}${state === "complete" ? "" : ` (${state})`}`;

async function shown({ screen }: Stage): Promise<string[]> {
  return (await screen.entries()).map(marked);
}

/** Waits until the page shows so. */
async function untilShown(stage: Stage, wanted: readonly string[]): Promise<void> {
  await until(async () => JSON.stringify(await shown(stage)) === JSON.stringify(wanted), {
    ...SLOW,
    describe: `the page to show ${JSON.stringify(wanted)}`,
  });
}

async function untilCurrent({ screen }: Stage): Promise<void> {
  await until(async () => {
    const { link, current } = await screen.status();
    return link === "open" && current === "true";
  }, SLOW);
}

/** The page's link ends and does not come back before the relay thaws. */
async function takeDown({ relay, screen }: Stage): Promise<void> {
  relay.freeze();
  relay.cut();
  await until(async () => /connecting$/.test((await screen.status()).link), SLOW);
}

/** A channel of the agents with the person behind the page. */
async function openChannel(
  stage: Stage,
  type: string,
  [opener, ...others]: readonly [Writer, ...Writer[]],
) {
  await until(() => stage.network.hub.findAgentId("hugo") !== null, SLOW);
  const target = [...others.map(({ client }) => client.name), "hugo"];
  const channel = await opener.client.open({ type, target: target.length === 1 ? "hugo" : target });
  await untilCurrent(stage);
  return channel;
}

/** What the page has shown of growing answers: each text goes on from the one before it. */
function expectGrowth(history: readonly Line[]): void {
  const last = new Map<string, string>();
  for (const { id, state, text } of history.filter((line) => line.state === "growing")) {
    expect(`${state} ${text}`.startsWith(`growing ${last.get(id) ?? ""}`)).toBe(true);
    last.set(id, text);
  }
  expect(last.size).toBeGreaterThan(0);
}

describe("a person's page in Chromium", () => {
  it("shows a discussion of three agents in order and once, over two breaks of its link", async () => {
    await using stage = await setStage();
    const [ada, bob, cy] = await Promise.all([
      stage.writer("ada"),
      stage.writer("bob"),
      stage.writer("cy"),
    ]);
    const channel = await openChannel(stage, "discussion", [ada, bob, cy]);
    await channel.send("What shall we build?");
    await until(() => bob.asked === 1, SLOW);
    for (const text of ["A ", "bridge"]) bob.show(text);
    await untilShown(stage, ["What shall we build?", "A bridge (growing)"]);

    await takeDown(stage);
    expect(await shown(stage)).toEqual(["What shall we build?", "A bridge (growing)"]);
    bob.show(" over");
    stage.relay.thaw();
    await untilCurrent(stage);
    bob.show(" the river");
    await untilShown(stage, ["What shall we build?", "…A bridge the river (growing)"]);
    bob.answer("A bridge over the river.");
    await untilShown(stage, ["What shall we build?", "A bridge over the river."]);

    await until(() => cy.asked === 1, SLOW);
    cy.show("No, ");
    const grown = ["What shall we build?", "A bridge over the river.", "No,  (growing)"];
    await untilShown(stage, grown);
    await takeDown(stage);
    cy.answer("No, a tunnel.");
    await until(async () => (await stage.network.texts(channel.channelId)).length === 3, SLOW);
    expect(await shown(stage)).toEqual(grown);
    stage.relay.thaw();
    await untilShown(stage, ["What shall we build?", "A bridge over the river.", "No, a tunnel."]);
    await untilCurrent(stage);

    await stage.screen.say("A ferry!");
    await until(() => ada.asked === 1, SLOW);
    for (const text of ["Agreed", ": a ferry."]) ada.show(text);
    ada.answer("Agreed: a ferry.");
    const all = [
      "What shall we build?",
      "A bridge over the river.",
      "No, a tunnel.",
      "A ferry!",
      "Agreed: a ferry.",
    ];
    await untilShown(stage, all);
    expect(await stage.network.texts(channel.channelId)).toEqual(all);
    expect((await stage.screen.status()).writing).toBe("0");
    const history = await stage.screen.history();
    expectGrowth(history);
    const completed = history.filter(({ state }) => state === "complete");
    expect(completed.map(({ text }) => text)).toEqual(all);
    expect(new Set(completed.map(({ id }) => id)).size).toBe(all.length);
    expect(stage.faults).toEqual([]);
  });

  it("F-142 loaded again halfway shows each message once, and the growing answer ends as one", async () => {
    await using stage = await setStage();
    const ada = await stage.writer("ada");
    const { channelId } = await openChannel(stage, "conversation", [ada]);
    await stage.screen.say("one");
    await until(() => ada.asked === 1, SLOW);
    ada.answer("first answer");
    await untilShown(stage, ["one", "first answer"]);
    await stage.screen.say("two");
    await until(() => ada.asked === 2, SLOW);
    ada.show("half of ");
    await untilShown(stage, ["one", "first answer", "two", "half of  (growing)"]);
    const id = (await stage.screen.entries()).at(-1)?.id;

    await stage.page.reload();
    await untilCurrent(stage);
    expect(await shown(stage)).toEqual(["one", "first answer", "two"]);
    ada.show("the answer");
    await untilShown(stage, ["one", "first answer", "two", "…the answer (growing)"]);
    expect((await stage.screen.entries()).at(-1)?.id).toBe(id);
    ada.answer("half of the answer");
    await untilShown(stage, ["one", "first answer", "two", "half of the answer"]);
    expect((await stage.screen.entries()).at(-1)?.id).toBe(id);
    expect(await stage.network.texts(channelId)).toEqual(await shown(stage));
    expect(ada.asked).toBe(2);
    expect(stage.faults).toEqual([]);
  });

  it("shows what is said while the link is dead as not sent, and sends it once when it is back", async () => {
    await using stage = await setStage();
    const ada = await stage.writer("ada");
    const { channelId } = await openChannel(stage, "conversation", [ada]);
    stage.relay.freeze();
    await stage.screen.say("are you there?");
    await until(async () => (await stage.screen.outgoing()).length === 1, SLOW);
    await until(async () => /connecting$/.test((await stage.screen.status()).link), SLOW);
    expect(await stage.screen.outgoing()).toEqual(["waiting: are you there?"]);
    expect(await shown(stage)).toEqual([]);
    expect(await stage.network.texts(channelId)).toEqual([]);

    stage.relay.thaw();
    await untilShown(stage, ["are you there?"]);
    await until(async () => (await stage.screen.outgoing()).length === 0, SLOW);
    await until(() => ada.asked === 1, SLOW);
    ada.answer("yes");
    await untilShown(stage, ["are you there?", "yes"]);
    expect(await stage.network.texts(channelId)).toEqual(["are you there?", "yes"]);
    expect(stage.faults).toEqual([]);
  });
});
