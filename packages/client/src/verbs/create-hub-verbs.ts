import {
  type ChannelAdapter,
  channelAtStart,
  createEnvelope,
  isTerminalState,
  type OperationInput,
  type OperationName,
  type OperationResult,
  providerHandle,
  trackRecordOf,
} from "@colloquy/protocol";
import type { ViewRegistry } from "@colloquy/views";
import { operationCall } from "../connection/call.js";
import type { Connection } from "../connection/connection.js";
import type { CallOptions } from "../connection/request-table.js";
import { createAdapterMap } from "./adapter-map.js";
import { bareTurnFacts } from "./bare-turn-facts.js";
import type { HubVerbs } from "./hub-verbs.js";
import { postCall } from "./post-call.js";
import { searchHere } from "./search-here.js";
import { createWalReader } from "./wal-reader.js";

/** Time that opening a channel gets on top of a request's, in milliseconds: the hub waits for invitees. */
const OPEN_GRACE_MS = 10_000;
/** Listings that are filtered here ask for so many times more than they give. */
const LIST_MARGIN = 4;
const DEFAULT_LIST_LIMIT = 50;
/** Stands for "all": an absent limit would be the hub's default. */
const NO_LIMIT = 1_000_000_000;

/** Input of {@link createHubVerbs}. */
export interface HubVerbsOptions {
  readonly connection: Connection;
  readonly adapters: readonly ChannelAdapter[];
  readonly views: ViewRegistry;
  readonly requestTimeoutMs: number;
}

/** Makes {@link HubVerbs} over a connection. */
export function createHubVerbs(options: HubVerbsOptions): HubVerbs {
  const { connection, views } = options;
  const adapters = createAdapterMap(options.adapters);
  const wal = createWalReader(connection);
  const ask = <Op extends OperationName>(
    op: Op,
    params: OperationInput<Op>,
    callOptions?: CallOptions,
  ): Promise<OperationResult<Op>> => connection.call(operationCall(op, params), callOptions);
  const tell = async <Op extends OperationName>(
    op: Op,
    params: OperationInput<Op>,
  ): Promise<void> => {
    await ask(op, params);
  };

  const verbs: HubVerbs = {
    getAgent: (nameOrId) => ask("get_agent", { name_or_id: nameOrId }),
    getResume: (agentId) => ask("get_resume", { agent_id: agentId }),
    getRule: (agentId) => ask("get_rule", { agent_id: agentId }),
    getSkill: (agentId) => ask("get_skill", { agent_id: agentId }),
    findAgentId: (name) => ask("find_agent_id", { name }),
    async resolveNames(names) {
      const { profile } = await connection.ready();
      if (profile !== "ag2") return ask("resolve_names", { names: [...names] });
      const unique = [...new Set(names)];
      const ids = await Promise.all(unique.map((name) => verbs.findAgentId(name)));
      return Object.fromEntries(unique.map((name, index) => [name, ids[index] ?? null]));
    },
    namesFor: (agentIds) => ask("names_for", { agent_ids: [...agentIds] }),
    async handlesFor(agentIds) {
      const { profile } = await connection.ready();
      if (profile !== "ag2") return ask("handles_for", { agent_ids: [...agentIds] });
      const names = await verbs.namesFor(agentIds);
      const known = Object.entries(names).filter(([id, name]) => name !== id);
      return Object.fromEntries(known.map(([id, name]) => [id, providerHandle(name)]));
    },
    listAgents: (filter = {}) => ask("list_agents", filter),
    setResume: (agentId, resume) => tell("set_resume", { agent_id: agentId, resume }),
    setRule: (agentId, rule) => tell("set_rule", { agent_id: agentId, rule }),
    setSkill: (agentId, skill) => tell("set_skill", { agent_id: agentId, skill_md: skill }),
    recordObservation: (input) => tell("record_observation", input),
    async getTrackRecord(agentId) {
      const { profile } = await connection.ready();
      if (profile !== "ag2") return ask("get_track_record", { agent_id: agentId });
      return trackRecordOf(await verbs.getResume(agentId));
    },

    createChannel: (input) =>
      ask("create_channel", input, { timeoutMs: options.requestTimeoutMs + OPEN_GRACE_MS }),
    closeChannel: (channelId, reason = "", { drain = false } = {}) =>
      ask(drain ? "drain_channel" : "close_channel", { channel_id: channelId, reason }),
    inviteParticipant: (channelId, agentId, by) =>
      ask("invite_participant", { channel_id: channelId, agent_id: agentId, by }),
    leaveChannel: (channelId, agentId, reason = "") =>
      ask("leave_channel", { channel_id: channelId, agent_id: agentId, reason }),
    removeParticipant: (channelId, agentId, change) =>
      ask("remove_participant", { ...change, channel_id: channelId, agent_id: agentId }),
    hideParticipant: (channelId, agentId, change) =>
      ask("hide_participant", { ...change, channel_id: channelId, agent_id: agentId }),
    showParticipant: (channelId, agentId, change) =>
      ask("show_participant", { ...change, channel_id: channelId, agent_id: agentId }),
    getChannel: (channelId) => ask("get_channel", { channel_id: channelId }),
    async listChannels({ agent_id = null, include_terminal = false, limit } = {}) {
      const most = limit === undefined ? DEFAULT_LIST_LIMIT : (limit ?? NO_LIMIT);
      const asked = include_terminal ? most : Math.min(most * LIST_MARGIN, NO_LIMIT);
      const found = await ask("list_channels", { agent_id, limit: asked });
      const shown = include_terminal ? found : found.filter(({ state }) => !isTerminalState(state));
      return shown.slice(0, most);
    },

    post: (draft, callOptions) => connection.call(postCall(draft), callOptions),
    async postEnvelope(draft) {
      return (await verbs.post(draft)).envelope_id;
    },
    wouldAccept: async (draft) => ask("would_accept", { envelope: createEnvelope(draft) }),
    readWal: (channelId, since = 0, until = null) => wal.readWal(channelId, since, until),
    readPage: (channelId, range = {}) => wal.readPage(channelId, range),
    async searchText(channelId, search) {
      const { profile } = await connection.ready();
      if (profile !== "ag2") return ask("search_text", { ...search, channel_id: channelId });
      return searchHere(await verbs.readWal(channelId), search);
    },
    canSend: (channelId, senderId, eventType = null) =>
      ask("can_send", { channel_id: channelId, sender_id: senderId, event_type: eventType }),
    findEnvelopeByCausation: (channelId, senderId, causationId) =>
      ask("find_envelope_by_causation", {
        channel_id: channelId,
        sender_id: senderId,
        causation_id: causationId,
      }),

    pendingTurnsFor: (agentId) => ask("pending_turns_for", { agent_id: agentId }),
    async prepareTurn(input) {
      const { profile } = await connection.ready();
      return profile === "ag2" ? bareTurnFacts(verbs, input) : ask("prepare_turn", input);
    },
    reportTurnFailure: (input) => tell("report_turn_failure", input),
    async adapterState(channelId) {
      const { profile } = await connection.ready();
      if (profile !== "ag2") return ask("get_state", { channel_id: channelId });
      const [metadata, log] = await Promise.all([
        verbs.getChannel(channelId),
        verbs.readWal(channelId),
      ]);
      const adapter = adapters.adapterFor(metadata);
      const state = log.reduce(
        (folded, envelope) => adapter.fold(folded, envelope),
        adapter.initialState(channelAtStart(metadata)),
      );
      return { state, position: log.length };
    },

    inbox: (agentId, limit) => ask("get_inbox", { agent_id: agentId, limit }),
    emptyInbox: (agentId, what = {}) => ask("empty_inbox", { ...what, agent_id: agentId }),

    observeTask: (task) => tell("observe_task", { metadata: task }),
    updateTask: (taskId, change) => tell("update_task", { ...change, task_id: taskId }),
    getTask: (taskId) => ask("get_task", { task_id: taskId }),
    listTasks: (filter = {}) => ask("list_tasks", filter),
    fireTaskEvent: (taskId, kind, payload = {}) =>
      tell("fire_task_event", { task_id: taskId, kind, payload: { ...payload } }),
    checkpointTask: (taskId, state) =>
      tell("checkpoint_task", { task_id: taskId, state: { ...state } }),
    readTaskCheckpoint: (taskId) => ask("read_task_checkpoint", { task_id: taskId }),

    ledger: (channelId, envelopeId) =>
      ask("ledger", { channel_id: channelId, envelope_id: envelopeId }),
    listDeadLetters: (input) => ask("list_dead_letters", input),
    retryDeadLetter: (input) => ask("retry_dead_letter", input),
    dropDeadLetter: (input) => tell("drop_dead_letter", input),

    whyWaiting: (channelId) => ask("why_waiting", { channel_id: channelId }),
    health: () => ask("health", {}),

    adapterFor: (metadata) => adapters.adapterFor(metadata),
    registerAdapter: (adapter) => adapters.register(adapter),
    viewFor: (spec) => views.create(spec),
    async defaultView(channelId, participantId) {
      const metadata = await verbs.getChannel(channelId);
      return adapters.adapterFor(metadata).defaultView(metadata, participantId);
    },
  };
  return verbs;
}
