import {
  type Content,
  createEnvelope,
  EV_TEXT,
  type Message,
  type ViewPolicy,
} from "@colloquy/protocol";
import { renderViewWal, viewChannel } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createFullTranscript } from "../views/full-transcript.js";
import { createNamedWindowedSummary } from "../views/named-windowed-summary.js";
import { currentInput } from "./current-input.js";

const trigger = createEnvelope({
  envelope_id: "e1",
  channel_id: viewChannel.channel_id,
  sender_id: "A",
  audience: ["B"],
  event_type: EV_TEXT,
  event_data: { text: "what now?" },
});
const context = {
  participantId: "B",
  channel: viewChannel,
  render: renderViewWal,
  nameFor: (id: string) => `Agent ${id}`,
};
const fromAdapter = () => "from the adapter";
const viewOf = (...messages: Message[]): ViewPolicy => ({
  name: "fixed",
  needs: "all",
  project: () => messages,
});
const image = { type: "image", base64_data: "AA==", media_type: "image/png" } as const;

describe("currentInput", () => {
  it("N-117 is the one text part of the trigger's one user message", () => {
    const view = viewOf({ role: "user", content: [{ type: "text", text: "from the view" }] });
    expect(currentInput(view, trigger, context, fromAdapter)).toBe("from the view");
  });

  it("N-117 is labelled as the view labels", () => {
    const plain = currentInput(createFullTranscript(), trigger, context, fromAdapter);
    expect(plain).toBe("what now?");
    const named = createNamedWindowedSummary({ recent_n: 2 });
    expect(currentInput(named, trigger, context, fromAdapter)).toBe("[Agent A]: what now?");
  });

  it("N-118 is what the adapter extracts when the view shows nothing", () => {
    let seen: unknown;
    const input = currentInput(viewOf(), trigger, context, (envelope) => {
      seen = envelope;
      return "from the adapter";
    });
    expect(input).toBe("from the adapter");
    expect(seen).toBe(trigger);
  });

  it("N-118 takes no assistant message, summary or blank for input", () => {
    const view = viewOf(
      { role: "compaction_summary", content: "Earlier", event_count: 1 },
      { role: "assistant", content: "mine" },
      { role: "user", content: " " },
    );
    expect(currentInput(view, trigger, context, fromAdapter)).toBe("from the adapter");
  });

  it.each<Content | null>([null, "", " \n", []])("is null when the adapter gives %j", (nothing) => {
    expect(currentInput(viewOf(), trigger, context, () => nothing)).toBeNull();
  });

  it("keeps parts that are not one text", () => {
    const view = viewOf({ role: "user", content: [{ type: "text", text: "see" }, image] });
    expect(currentInput(view, trigger, context, fromAdapter)).toEqual([
      { type: "text", text: "see" },
      image,
    ]);
    expect(currentInput(viewOf(), trigger, context, () => [image])).toEqual([image]);
  });

  it("F-042 is null for an envelope that the participant may not see", () => {
    const outsider = { ...context, participantId: "C" };
    expect(currentInput(createFullTranscript(), trigger, outsider, fromAdapter)).toBeNull();
  });
});
