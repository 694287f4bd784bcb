import type { ExitCode } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { escapeLines } from "../output/escape-text.js";
import type { Output } from "../output/output.js";
import { createLogger } from "../serve/create-logger.js";
import { runUntilEnd } from "../serve/ending.js";
import type { StartedHub } from "../serve/start-hub.js";
import { type CastProcesses, createCastProcesses } from "./cast-processes.js";
import { followHub, type HubFollower } from "./follow-hub.js";
import { channelsOfRound, nextRound } from "./scenes.js";
import { showBeginning, showCastEvent, showEnding } from "./show-course.js";
import { createEnvelopeShow } from "./show-envelope.js";
import { startDemoHub } from "./start-demo-hub.js";

/** What `colloquy demo` was asked for. */
export interface DemoSettings {
  /** The data file. */
  readonly data: string;
  /** TCP port; 0 takes a free one; null the usual one, or a free one when that is taken. */
  readonly port: number | null;
  /** End after the four channels of the round. */
  readonly once: boolean;
  /** Milliseconds that an agent waits before it answers. */
  readonly paceMs: number;
}

/** Milliseconds for the agents to end, for the hub to drain and for writing what is left. */
const END_LIMIT_MS = 20_000;

/** A hub with its cast, on the stage. */
interface Stage {
  readonly output: Output;
  readonly settings: DemoSettings;
  readonly served: StartedHub;
  readonly cast: CastProcesses;
  readonly follower: HubFollower;
}

/**
 * Runs the demonstration until it is asked to end, or until its channels have ended. Rejects when
 * they cannot, after everybody has left.
 */
export async function runDemo(
  host: Host,
  output: Output,
  settings: DemoSettings,
): Promise<ExitCode> {
  const { terminal, clock } = host;
  const logger = createLogger(terminal, { logLevel: "warn", logFormat: "auto" });
  const served = await startDemoHub(settings, clock, logger);
  const stage = await setStage(host, output, settings, served);
  let failure: unknown = null;
  const finished = play(stage).then(
    () => (settings.once ? undefined : new Promise<void>(() => undefined)),
    (error: unknown) => {
      failure = error;
    },
  );
  const drain = (): Promise<void> => leave(stage);
  const ports = { terminal, clock, logger };
  const code = await runUntilEnd({ drain, limitMs: END_LIMIT_MS, finished }, ports);
  if (failure !== null) throw failure;
  return code;
}

async function setStage(
  { clock }: Host,
  output: Output,
  settings: DemoSettings,
  served: StartedHub,
): Promise<Stage> {
  const { hub, server } = served;
  const { show } = createEnvelopeShow(output, (agentId) => hub.nameFor(agentId));
  const complain = (who: string, text: string): void =>
    void output.remark(`${who}: ${escapeLines(text.trimEnd()).join("\n")}`);
  return {
    output,
    settings,
    served,
    follower: await followHub(hub, { show, onFault: (error) => complain("demo", String(error)) }),
    cast: createCastProcesses({
      url: server.url,
      paceMs: settings.paceMs,
      clock,
      onEvent: (event) => void showCastEvent(output, event),
      onComplaint: complain,
    }),
  };
}

/** Everybody comes on and plays a round, and the reader learns what to look at. */
async function play({ output, settings, served, cast, follower }: Stage): Promise<void> {
  const { hub, server } = served;
  const { data, once } = settings;
  const round = nextRound(await hub.listChannels({ limit: null }));
  await showBeginning(output, { url: server.url, data, round });
  await cast.start();
  await cast.play(round);
  await follower.caughtUp();
  const channels = channelsOfRound(await hub.listChannels({ limit: null }), round);
  await showEnding(output, { channels, round, data, server, once });
}

async function leave({ output, served, cast, follower }: Stage): Promise<void> {
  if (!output.json) await output.lines("Everybody leaves …");
  await cast.stop();
  follower.stop();
  await served.hub.drain();
  await served.server.stop();
}
