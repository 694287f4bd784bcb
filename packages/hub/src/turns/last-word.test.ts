import { EV_TEXT } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { openConnectionBench } from "../../../../test/edge/connection-bench.js";

/** A consultation of bob by ada; each of them is connected and takes nothing up by itself. */
async function openConsultation() {
  const bench = await openConnectionBench();
  bench.acceptInvitations();
  const heard: unknown[] = [];
  bench.hub.addListener({ onTurnFailed: (failure) => void heard.push(failure) });
  const [ada, bob] = [await bench.join("ada"), await bench.join("bob")];
  const channel_id = await bench.open("consulting", ada.id, bob.id);
  const say = (sender_id: string, text: string): Promise<string> =>
    bench.hub.postEnvelope({ channel_id, sender_id, event_type: EV_TEXT, event_data: { text } });
  const fail = (link: typeof ada, envelope_id: string) =>
    link.call("report_turn_failure", {
      ...{ channel_id, agent_id: link.id, envelope_id, error: "not begun: it has ended" },
    });
  return { ...bench, heard, ada, bob, channel_id, say, fail };
}

describe("a failed turn at the end of a channel", () => {
  it("is none on the last word of a channel that came to its own end", async () => {
    const { hub, ada, channel_id, bob, say, fail, heard, audited } = await openConsultation();
    await say(ada.id, "how many?");
    const answer = await say(bob.id, "forty");
    expect((await hub.getChannel(channel_id)).close_reason).toBe("consulting_complete");
    await fail(ada, answer);
    expect(heard).toEqual([]);
    expect(await audited("turn_failed")).toEqual([]);
  });

  it("is one when its turn had begun, and on a word before the last", async () => {
    const { ada, bob, channel_id, say, fail, heard } = await openConsultation();
    const question = await say(ada.id, "how many?");
    const answer = await say(bob.id, "forty");
    const named = { recipient_id: ada.id, channel_id, envelope_id: answer };
    ada.send({ kind: "receipt", status: "taken_up", ...named });
    await fail(ada, answer);
    expect(heard).toHaveLength(1);
    await fail(bob, question);
    expect(heard).toHaveLength(2);
  });

  it("is one on the last word before somebody closed the channel", async () => {
    const { hub, ada, bob, channel_id, say, fail, heard } = await openConsultation();
    const question = await say(ada.id, "how many?");
    await hub.closeChannel(channel_id, "operator_stop");
    await fail(bob, question);
    expect(heard).toHaveLength(1);
  });
});
