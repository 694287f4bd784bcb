export {
  collect,
  type DumpedChannel,
  dumpStore,
  type StoreDump,
} from "./conformance/store/dump-store.js";
export type { StoreFactory, StoreSubject } from "./conformance/store/store-subject.js";
export { runStoreConformance } from "./conformance/store-conformance.js";
export {
  assertStrictRoles,
  type StrictRolesCheck,
} from "./conformance/view/strict-roles.js";
export {
  runViewConformance,
  type ViewConformanceOptions,
} from "./conformance/view/view-conformance.js";
export {
  arbitraryWal,
  renderViewWal,
  VIEW_SPEAKERS,
  viewChannel,
  wordOf,
} from "./conformance/view/view-wal.js";
export { createFakeClock, FAKE_START_MS, type FakeClock } from "./fakes/fake-clock.js";
export { createFakeIds } from "./fakes/fake-ids.js";
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
export { settle } from "./wait/settle.js";
export { type Met, type UntilOptions, until } from "./wait/until.js";
