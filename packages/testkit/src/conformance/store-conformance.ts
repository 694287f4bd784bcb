import { describe } from "vitest";
import { describeAudit } from "./store/audit-rules.js";
import { describeClosing } from "./store/closing-rules.js";
import { describeCommit } from "./store/commit-rules.js";
import { describeLazy } from "./store/lazy-rules.js";
import { describeRecords } from "./store/record-rules.js";
import { describeRecovery } from "./store/recovery-rules.js";
import { describeSearch } from "./store/search-rules.js";
import { type StoreFactory, withStoreOf } from "./store/store-subject.js";
import { describeWal } from "./store/wal-rules.js";

/**
 * Defines the tests that every store must pass: rules R1 to R8 of the `Store` port.
 *
 * @param name - the implementation, for the report
 * @param factory - makes a fresh, empty subject; called once per test
 */
export function runStoreConformance(name: string, factory: StoreFactory): void {
  const withStore = withStoreOf(factory);
  describe(`store ${name}`, () => {
    describeCommit(withStore);
    describeWal(withStore);
    describeSearch(withStore);
    describeRecords(withStore);
    describeLazy(withStore);
    describeAudit(withStore);
    describeRecovery(withStore);
    describeClosing(withStore);
  });
}
