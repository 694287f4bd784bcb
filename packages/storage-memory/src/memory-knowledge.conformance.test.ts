import { runKnowledgeConformance } from "@colloquy/testkit";
import { createMemoryKnowledge } from "./memory-knowledge.js";

runKnowledgeConformance("memory", async () => {
  const store = createMemoryKnowledge();
  return { store, [Symbol.asyncDispose]: () => store.close() };
});
