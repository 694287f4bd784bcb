import { createConversationAdapter } from "@colloquy/adapters";
import type { Turn, TurnContext } from "@colloquy/client";
import { fakeChannel, fakeEnvelope } from "@colloquy/testkit";

/** A turn that nobody's hub has given, and what the agent has shown of its answer. */
export interface FakeTurn extends Turn {
  readonly shown: readonly string[];
  stop(reason: Error): void;
}

/** Makes a {@link FakeTurn}; what it is not told is empty. */
export function fakeTurn(given: Partial<Turn> = {}): FakeTurn {
  const shown: string[] = [];
  const channel = fakeChannel(createConversationAdapter().manifest, ["other-id", "ada-id"]);
  const ended = new AbortController();
  return {
    channel,
    agentId: "ada-id",
    envelope: fakeEnvelope(channel, "other-id"),
    history: [],
    input: "What is the answer?",
    tools: [],
    instructions: [],
    // Tools look further into it; those of these tests do not.
    context: { names: { "bob-id": "bob" }, routingTools: new Set() } as unknown as TurnContext,
    attempt: 1,
    signal: ended.signal,
    onDelta: (text) => void shown.push(text),
    ...given,
    shown,
    stop: (reason) => ended.abort(reason),
  };
}
