import type { Content, Message, ViewContext, ViewPolicy } from "@colloquy/protocol";
import {
  createFullTranscript,
  createNamedTranscript,
  createNamedWindowedSummary,
  createWindowedSummary,
  currentInput,
  sliceWal,
} from "@colloquy/views";
import type { Log } from "./example-logs.js";

/** Largest window that is tried. */
const MAX_WINDOW = 20;

/** What a model would be given at one place of a log. */
export interface Asked {
  readonly history: readonly Message[];
  readonly input: Content;
}

/** The built-in views, the windowed ones with every window size. */
const VIEWS: readonly ViewPolicy[] = [
  createFullTranscript(),
  createNamedTranscript(),
  ...Array.from({ length: MAX_WINDOW }, (_, at) => [
    createWindowedSummary({ recent_n: at + 1 }),
    createNamedWindowedSummary({ recent_n: at + 1 }),
  ]).flat(),
];

/**
 * Everything that a participant could be asked in a channel: at every position of its log, by every
 * view. The same question by several views comes once.
 */
export function askEverywhere(log: Log): readonly Asked[] {
  const asked = new Map<string, Asked>();
  for (const { agent_id } of log.metadata.participants) {
    const context = contextOf(log, agent_id);
    for (const view of VIEWS) {
      for (const envelope of log.wal) {
        const turnInput = (given: typeof envelope) => log.adapter.turnInput(given);
        const input = currentInput(view, envelope, context, turnInput);
        if (input === null) continue;
        const slice = sliceWal(log.wal, {
          ...{ participantId: agent_id, render: context.render, needs: view.needs },
          before: envelope.envelope_id,
        });
        const one = { history: view.project(slice, context), input };
        asked.set(JSON.stringify(one), one);
      }
    }
  }
  return [...asked.values()];
}

function contextOf({ metadata, adapter, names }: Log, participantId: string): ViewContext {
  return {
    participantId,
    channel: metadata,
    render: (envelope) => adapter.renderEnvelope(envelope),
    nameFor: (id) => names[id] ?? id,
  };
}
