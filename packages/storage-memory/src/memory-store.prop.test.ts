import { runStoreModel } from "@colloquy/testkit";
import { createMemoryStore } from "./memory-store.js";

runStoreModel(
  "memory",
  async () => {
    const store = createMemoryStore();
    let newest = store;
    const reopen = async () => {
      newest = newest.reopen();
      return newest;
    };
    return {
      store,
      reopen,
      crash: () => {
        newest.crash();
        return reopen();
      },
      damage: async (channelId) => store.disk.damageChannel(channelId),
      dispose: () => newest.close(),
    };
  },
  { runs: 200 },
);
