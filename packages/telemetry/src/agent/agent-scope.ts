/** Instrumentation scope of what agents record. */
export const AGENT_SCOPE = "colloquy.agent";
