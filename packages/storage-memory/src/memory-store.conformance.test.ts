import { faulty, runStoreConformance, type StoreFactory } from "@colloquy/testkit";
import { createMemoryStore } from "./memory-store.js";

/** Subjects whose stores are seen through `wrap`. */
const subjectBehind =
  (wrap: typeof faulty | null): StoreFactory =>
  async () => {
    const first = createMemoryStore();
    let newest = first;
    const show = () => (wrap === null ? newest : wrap(newest));
    const reopen = async () => {
      newest = newest.reopen();
      return show();
    };
    return {
      store: show(),
      reopen,
      crash: () => {
        newest.crash();
        return reopen();
      },
      damage: async (channelId) => first.disk.damageChannel(channelId),
      dispose: () => newest.close(),
    };
  };

runStoreConformance("memory", subjectBehind(null));
runStoreConformance("memory behind a wrapper without faults", subjectBehind(faulty));
