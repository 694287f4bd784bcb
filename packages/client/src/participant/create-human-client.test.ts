import {
  createEnvelope,
  createPassport,
  type Envelope,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
  type Passport,
} from "@colloquy/protocol";
import {
  createFakeAcceptor,
  createFakeClock,
  createFakeIds,
  scriptOperations,
  settle,
  until,
} from "@colloquy/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createHubClient } from "../create-hub-client.js";
import type { HumanSettings } from "../host/settings.js";
import type { HubClient } from "../hub-client.js";
import { createLocalLink } from "../link/local-link.js";

const open: HubClient[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

const POSTED = { envelope_id: "e", position: 1, created_at: "t", duplicate: false, notes: [] };
const REQUEST_MS = 30_000;

function envelope(envelope_id: string, event_type: string): Envelope {
  return createEnvelope({
    ...{ envelope_id, event_type, channel_id: "c", sender_id: "other" },
    event_data:
      event_type === EV_TEXT
        ? { text: "hello" }
        : { channel_id: "c", manifest_type: "conversation" },
    created_at: "2026-01-01T00:00:00.000000+00:00",
  });
}

/** A person whose invitations are accepted by a hub that answers posts only when told to. */
async function start(settings: HumanSettings) {
  let answers = true;
  const register = (params: Record<string, unknown>) => ({
    ...(params["passport"] as Passport),
    agent_id: "hugo-id",
  });
  const scripts = {
    deaf: scriptOperations({ register }),
    well: scriptOperations({ register, post: () => POSTED }),
  };
  const acceptor = createFakeAcceptor((frame, connection) =>
    scripts[answers ? "well" : "deaf"](frame, connection),
  );
  const clock = createFakeClock();
  const client = createHubClient({ link: createLocalLink(acceptor), clock, ids: createFakeIds() });
  open.push(client);
  const human = await client.registerHuman(createPassport({ name: "hugo" }), settings);
  const hub = acceptor.latest;
  return {
    ...{ human, hub, clock },
    answer(does: boolean) {
      answers = does;
    },
    receipts: () =>
      hub.received.flatMap((frame) =>
        frame.kind === "receipts" ? frame.items.map((i) => `${i.envelope_id} ${i.status}`) : [],
      ),
    accepts: () =>
      hub.requests.filter(({ params }) => {
        const posted = params["envelope"] as Envelope | undefined;
        return posted?.event_type === EV_CHANNEL_INVITE_ACK;
      }).length,
  };
}

describe("invitations of a person who settles by hand", () => {
  it("are accepted once, and again only when that has failed and they come again", async () => {
    const { human, hub, clock, answer, accepts, receipts } = await start({ receipts: "by_hand" });
    const invite = envelope("invite", EV_CHANNEL_INVITE);
    answer(false);
    hub.notify(invite, "hugo-id");
    await until(() => accepts() === 1);
    hub.notify(invite, "hugo-id", { attempt: 2 });
    await settle();
    expect(accepts()).toBe(1);
    await clock.advanceAsync(REQUEST_MS);
    answer(true);
    hub.notify(invite, "hugo-id", { attempt: 3 });
    await until(() => accepts() === 2);
    await settle();
    hub.notify(invite, "hugo-id", { attempt: 4 });
    await settle();
    expect(accepts()).toBe(2);
    expect(receipts()).toEqual([]);
    expect(human.channelInbox("c").size).toBe(1);
    expect(human.acknowledge("invite")).toBe(true);
    await until(() => receipts().length > 0);
    expect(receipts()).toEqual(["invite ack"]);
  });
});

describe("a person who has stopped", () => {
  it("settles nothing that was under way", async () => {
    const { human, hub, answer, accepts, receipts } = await start({});
    answer(false);
    hub.notify(envelope("invite", EV_CHANNEL_INVITE), "hugo-id");
    await until(() => accepts() === 1);
    human.disconnect();
    await settle();
    expect(receipts()).toEqual([]);
  });

  it("acknowledges nothing by hand", async () => {
    const { human, hub, receipts } = await start({ receipts: "by_hand" });
    hub.notify(envelope("text", EV_TEXT), "hugo-id");
    await until(() => human.channelInbox("c").size === 1);
    human.disconnect();
    expect(human.acknowledge("text")).toBe(false);
    await settle();
    expect(receipts()).toEqual([]);
  });
});
