/** The store port kept in memory. */

export { createMemoryDisk, type MemoryDisk } from "./memory-disk.js";
export { createMemoryKnowledge } from "./memory-knowledge.js";
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from "./memory-store.js";
