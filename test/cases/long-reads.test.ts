import { EV_TEXT, type Store } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { type BareLink, connectBare } from "../fixtures/bare-link.js";
import { startTestNetwork, type TestNetwork } from "../fixtures/test-network.js";

const ENTRIES = 100_000;
const AGENTS = 50;
/** The word that a search looks for, and where it stands. */
const NEEDLE = { word: "needle", position: 77_777 };

type Happening = "page" | "pong" | "sent";

/** A store that notes the largest number of envelopes that one read has given. */
function measured(store: Store): { readonly store: Store; readonly largest: number } {
  let largest = 0;
  return {
    store: {
      ...store,
      async readWal(channelId, range) {
        const page = await store.readWal(channelId, range);
        largest = Math.max(largest, page.envelopes.length);
        return page;
      },
    },
    get largest() {
      return largest;
    },
  };
}

/** A channel with very many notes, which nobody is sent. */
async function fill({ hub }: TestNetwork, channel_id: string, sender_id: string): Promise<void> {
  const { head } = await hub.readPage(channel_id, { limit: 1 });
  for (let position = head + 1; position <= ENTRIES; ) {
    const batch: Promise<unknown>[] = [];
    for (; batch.length < 2_000 && position <= ENTRIES; position += 1) {
      const text = position === NEEDLE.position ? NEEDLE.word : `note ${position}`;
      const note = { event_type: "app.note", event_data: { text }, audience: [] };
      batch.push(hub.post({ channel_id, sender_id, ...note }));
    }
    await Promise.all(batch);
  }
}

/** Pairs that answer each other without end; calls back for each text that is admitted. */
async function exchange(network: TestNetwork, onSent: () => void): Promise<() => void> {
  let goes = true;
  for (let pair = 0; pair < AGENTS / 2; pair += 1) {
    const first = await network.human(`first-${pair}`);
    const second = await network.human(`second-${pair}`);
    const { channelId } = await first.open({ type: "conversation", target: second.name });
    for (const human of [first, second]) {
      human.onEnvelope(async ({ event_type }) => {
        if (event_type !== EV_TEXT || !goes) return;
        await human.say(channelId, "and you?");
        onSent();
      });
    }
    await first.say(channelId, "hello");
  }
  return () => {
    goes = false;
  };
}

/** Beats as fast as it is answered. */
async function beat(bare: BareLink, onPong: () => void, isOn: () => boolean): Promise<void> {
  for (let beats = 0; isOn(); beats += 1) {
    bare.send({ kind: "ping" } as Parameters<BareLink["send"]>[0]);
    await until(() => bare.frames.filter(({ kind }) => kind === "pong").length > beats);
    onPong();
  }
}

/** What stands between two happenings of a kind, in order. */
function stretches(happenings: readonly Happening[], every: number): Happening[][] {
  const found: Happening[][] = [];
  let pages = 0;
  for (const happening of happenings) {
    if (happening === "page") {
      if (pages % every === 0) found.push([]);
      pages += 1;
    } else found.at(-1)?.push(happening);
  }
  return found.slice(0, -1);
}

describe("a long log that is read and searched", { timeout: 180_000 }, () => {
  it("F-084 keeps nobody waiting: beats are answered and sends go on between its pages", async () => {
    let watched: ReturnType<typeof measured> | null = null;
    await using network = await startTestNetwork({
      ...{ transport: "ws", store: "sqlite" },
      wrapStore(store) {
        watched = measured(store);
        return watched.store;
      },
    });
    const operator = await network.human("olga");
    await network.human("reader");
    const long = await operator.open({ type: "conversation", target: "reader" });
    await fill(network, long.channelId, operator.agentId);

    const happenings: Happening[] = [];
    const gone: string[] = [];
    const stop = await exchange(network, () => happenings.push("sent"));
    let isOn = true;
    using bare = await connectBare(network.link());
    await bare.request("register", { passport: { name: "beating" }, resume: {} });
    network.hub.addListener({ onAgentEvent: (id, kind) => kind === "unbound" && gone.push(id) });
    const { connections } = network.hub.health();
    const beating = beat(
      bare,
      () => happenings.push("pong"),
      () => isOn,
    );
    await until(() => happenings.includes("pong") && happenings.includes("sent"));

    // Page by page over a connection, as a console reads and searches.
    happenings.length = 0;
    const found: number[] = [];
    let read = 0;
    for (let after: number | null = 0; after !== null; ) {
      const page = await operator.hub.readPage(long.channelId, { after, limit: 1_000 });
      happenings.push("page");
      read += page.envelopes.length;
      const at = page.envelopes.findIndex(({ event_data }) => event_data["text"] === NEEDLE.word);
      if (at >= 0) found.push(page.positions[at] ?? 0);
      after = page.next;
    }
    expect(read).toBe(ENTRIES);
    expect(found).toEqual([NEEDLE.position]);
    const between = stretches(happenings, 5);
    expect(between.length).toBeGreaterThan(15);
    expect(between.filter((stretch) => !stretch.includes("pong"))).toEqual([]);
    expect(between.filter((stretch) => !stretch.includes("sent"))).toEqual([]);

    // All of it in one call, as a program beside the hub may.
    happenings.length = 0;
    const whole = await network.hub.readWal(long.channelId);
    const meanwhile = [...happenings];
    expect(whole).toHaveLength(ENTRIES);
    expect(whole[NEEDLE.position - 1]?.event_data).toEqual({ text: NEEDLE.word });
    for (const kind of ["pong", "sent"] as const) {
      expect(meanwhile.filter((happening) => happening === kind).length).toBeGreaterThan(20);
    }
    expect((watched as ReturnType<typeof measured> | null)?.largest).toBeLessThanOrEqual(1_000);
    expect(gone).toEqual([]);
    expect(network.hub.health().connections).toBe(connections);
    isOn = false;
    stop();
    await beating;
  });
});
