import { runStoreConformance } from "@colloquy/testkit";
import { createMemoryStore } from "./memory-store.js";

runStoreConformance("memory", async () => {
  let newest = createMemoryStore();
  const first = newest;
  const reopen = async () => {
    newest = newest.reopen();
    return newest;
  };
  return {
    store: first,
    reopen,
    crash: () => {
      newest.crash();
      return reopen();
    },
    damage: async (channelId) => first.disk.damageChannel(channelId),
    dispose: () => newest.close(),
  };
});
