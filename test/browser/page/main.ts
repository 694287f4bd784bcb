/** A screen of one channel, without a framework: what a person's page needs, and nothing more. */
import { createHubClient, createWebSocketLink, type HumanClient } from "@colloquy/client";
import { type ChannelEntry, type ChannelFeed, followChannel } from "@colloquy/client/live";

const NAME = "hugo";

function byId<E extends Element>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no #${id}`);
}

const entries = byId("entries", HTMLOListElement);
const history = byId("history", HTMLOListElement);
const outgoing = byId("outgoing", HTMLUListElement);

function item(text: string, data: Readonly<Record<string, string>>): HTMLLIElement {
  const line = document.createElement("li");
  line.textContent = text;
  Object.assign(line.dataset, data);
  return line;
}

function lineOf({ id, text, state, hasGaps }: ChannelEntry): HTMLLIElement {
  return item(text, { id, state, gaps: String(hasGaps) });
}

function show(feed: ChannelFeed, changed: readonly ChannelEntry[]): void {
  const spoken = feed.entries.filter(({ text }) => text !== "");
  entries.replaceChildren(...spoken.map(lineOf));
  history.append(...changed.filter(({ text }) => text !== "").map(lineOf));
  byId("link", HTMLElement).textContent = feed.link.state;
  byId("current", HTMLElement).textContent = String(feed.isCurrent);
  byId("writing", HTMLElement).textContent = String(feed.writing.length);
}

function showOutgoing(human: HumanClient): void {
  const lines = human.outgoing.map(({ draft, state }) =>
    item(String(draft.event_data["text"]), { state }),
  );
  outgoing.replaceChildren(...lines);
}

/** The channel is remembered in the address, so that it is found again after a reload. */
async function channelOf(human: HumanClient): Promise<string> {
  if (location.hash !== "") return location.hash.slice(1);
  const { channel_id } = await human.nextEnvelope(({ event_type }) =>
    event_type.endsWith("opened"),
  );
  location.hash = channel_id;
  return channel_id;
}

const url = new URLSearchParams(location.search).get("hub") ?? "";
const client = createHubClient({
  link: createWebSocketLink({ url, openTimeoutMs: 500 }),
  heartbeatMs: 300,
  reconnect: { baseMs: 50, maxMs: 200 },
});
const human = await client.attachHuman(NAME, { passport: { name: NAME }, resume: {} });
byId("link", HTMLElement).textContent = "open";
human.onOutgoing(() => showOutgoing(human));
const channelId = await channelOf(human);
const feed = await followChannel(human, channelId);
feed.onChange((changed) => show(feed, changed));
show(feed, []);

byId("say", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const words = byId("words", HTMLInputElement);
  // A failure is shown in #outgoing, with the text.
  human.say(channelId, words.value).catch(() => undefined);
  words.value = "";
});
