export {
  type AdapterScenario,
  type AdapterSubject,
  type PlayedCourse,
  playCourse,
} from "./conformance/adapter/adapter-scenario.js";
export {
  arbitraryEnvelope,
  arbitraryProtocolEnvelope,
  STRANGER,
} from "./conformance/adapter/channel-envelopes.js";
export {
  ADAPTER_RULES,
  type AdapterConformanceOptions,
  runAdapterConformance,
} from "./conformance/adapter-conformance.js";
export { deepFreeze } from "./conformance/deep-freeze.js";
export {
  type KnowledgeSubject,
  runKnowledgeConformance,
} from "./conformance/knowledge-conformance.js";
export {
  type LinkFactory,
  type LinkSubject,
  runLinkConformance,
} from "./conformance/link-conformance.js";
export {
  collect,
  type DumpedChannel,
  dumpStore,
  type StoreDump,
} from "./conformance/store/dump-store.js";
export { type FileStoreOptions, fileStoreFactory } from "./conformance/store/file-subject.js";
export type { StoreFactory, StoreSubject } from "./conformance/store/store-subject.js";
export { runStoreConformance } from "./conformance/store-conformance.js";
export { runStoreModel, type StoreModelOptions } from "./conformance/store-model.js";
export {
  assertStrictRoles,
  type StrictRolesCheck,
} from "./conformance/view/strict-roles.js";
export {
  arbitraryWal,
  renderViewWal,
  VIEW_SPEAKERS,
  viewChannel,
  wordOf,
} from "./conformance/view/view-wal.js";
export {
  runViewConformance,
  type ViewConformanceOptions,
} from "./conformance/view-conformance.js";
export {
  type AcceptedConnection,
  createFakeAcceptor,
  type FakeAcceptor,
  type FrameScript,
  type NotifyFacts,
  type ScriptedOperation,
  scriptOperations,
} from "./fakes/fake-acceptor.js";
export { fakeChannel, fakeEnvelope } from "./fakes/fake-channel.js";
export { createFakeClock, FAKE_START_MS, type FakeClock } from "./fakes/fake-clock.js";
export { createFakeIds } from "./fakes/fake-ids.js";
export {
  createFakePeer,
  type FakePeer,
  type FakePeerOptions,
  type PeerStep,
} from "./fakes/fake-peer.js";
export {
  createRecordingLogger,
  type LogLevel,
  type LogLine,
  type RecordingLogger,
} from "./fakes/recording-logger.js";
export {
  batchOf,
  type ChainFields,
  type ChainMaker,
  type ChainMark,
  type ChannelFields,
  createChainMaker,
} from "./fakes/stored-chain.js";
export { makeTempFolder, type TempFolder } from "./fakes/temp-folder.js";
export type { FaultRates, StoreMethod } from "./faults/fault-plan.js";
export {
  type FaultyLink,
  type FaultyLinkOptions,
  type FrameMatch,
  faultyLink,
  type LinkDirection,
  type LinkFaultRates,
} from "./faults/faulty-link.js";
export {
  type Blockade,
  type CrashPoint,
  type FaultyStore,
  type FaultyStoreOptions,
  faulty,
} from "./faults/faulty-store.js";
export {
  type BenchHub,
  createHubBench,
  type HubBench,
  type InviteManners,
  type JoinOptions,
} from "./hub/hub-bench.js";
export {
  type AnthropicRequest,
  assertAnthropicMessages,
} from "./messages/assert-anthropic-messages.js";
export { assertOpenAiMessages } from "./messages/assert-openai-messages.js";
export { settle } from "./wait/settle.js";
export { type Met, type UntilOptions, until } from "./wait/until.js";
