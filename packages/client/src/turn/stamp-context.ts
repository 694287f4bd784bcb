import type { Envelope, EnvelopeDraft } from "@colloquy/protocol";
import type { TurnContext, TurnTrace } from "../agent/agent.js";
import type { AgentClient } from "../agent/agent-client.js";
import { type Channel, createChannel } from "../channel/channel.js";
import type { TaskScope } from "../task/agent-tasks.js";

/** What every part of a turn shares. */
export interface TurnFrame {
  readonly trigger: Envelope;
  /** Aborted when the turn ends early. */
  readonly signal: AbortSignal;
  readonly tasks: TaskScope;
  readonly trace: TurnTrace;
}

/** What is known of the channel when a turn begins. */
export type ChannelFacts = Pick<TurnContext, "state" | "names" | "routingTools">;

/**
 * What a turn's tools and code may reach.
 *
 * The client in it is the agent's own, but knows the turn: what it posts in other channels is one
 * hop further than the trigger and stands in the turn's trace, channels that it opens have the
 * turn's channel as their parent, tasks belong to the turn's channel, and questions and tasks end
 * with the turn.
 */
export function stampContext(
  client: AgentClient,
  channel: Channel,
  known: ChannelFacts,
  turn: TurnFrame,
): TurnContext {
  const { trigger, signal, tasks, trace } = turn;
  const here = trigger.channel_id;
  const depthOf = ({ channel_id }: Pick<EnvelopeDraft, "channel_id">): number =>
    channel_id === here ? trigger.depth : trigger.depth + 1;
  const scoped: AgentClient = Object.create(client, {
    post: method((draft: Parameters<AgentClient["post"]>[0]) =>
      client.post({ depth: depthOf(draft), trace_id: trace.traceparent, ...draft }),
    ),
    wouldAccept: method((draft: Parameters<AgentClient["wouldAccept"]>[0]) =>
      client.wouldAccept({ depth: depthOf(draft), ...draft }),
    ),
    send: method(async (draft: Parameters<AgentClient["send"]>[0]) => {
      return (await scoped.post(draft)).envelope_id;
    }),
    open: method(async (options: Parameters<AgentClient["open"]>[0]) => {
      const { metadata } = await client.open({ parent: here, ...options });
      return createChannel(client.hub, metadata, scoped);
    }),
    consult: method((...[target, prompt, options]: Parameters<AgentClient["consult"]>) =>
      client.consult(target, prompt, {
        depth: trigger.depth + 1,
        parent: here,
        signal,
        traceparent: trace.traceparent,
        ...options,
      }),
    ),
    task: method(tasks.run),
  }) as AgentClient;
  return {
    ...known,
    ...{ channel, client: scoped, hub: client.hub, task: tasks.run, trace },
    get activeTask() {
      return tasks.active;
    },
  };
}

function method(value: (...args: never[]) => unknown): PropertyDescriptor {
  return { value, enumerable: true };
}
