export { createFakeClock, FAKE_START_MS, type FakeClock } from "./fakes/fake-clock.js";
export { createFakeIds } from "./fakes/fake-ids.js";
export {
  createRecordingLogger,
  type LogLevel,
  type LogLine,
  type RecordingLogger,
} from "./fakes/recording-logger.js";
export { settle } from "./wait/settle.js";
export { type Met, type UntilOptions, until } from "./wait/until.js";
