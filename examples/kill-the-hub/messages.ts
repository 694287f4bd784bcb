/** What the parent tells a hub process. */
export type HubOrder =
  /** Open a hub on a data file and listen. */
  | { readonly kind: "open"; readonly data: string; readonly port: number }
  /** Drain it; the process may open another one then. */
  | { readonly kind: "drain" };

/** What the parent tells an agent process, in this order. */
export type AgentOrder =
  /** Take part in the hub at this address, under this name. */
  | { readonly kind: "join"; readonly url: string; readonly name: string }
  /** Put load on the hub; the first agent also opens the discussion. */
  | { readonly kind: "begin"; readonly names: readonly string[]; readonly turns: number }
  /** Post nothing new, wait for what is under way, and report. */
  | { readonly kind: "finish" };

/** What an agent process tells the parent. */
export type AgentNews =
  | { readonly kind: "joined" }
  | { readonly kind: "load_open" }
  /** It takes this turn of the discussion, counted from 1. */
  | { readonly kind: "turn"; readonly number: number }
  | { readonly kind: "ended"; readonly channel_id: string }
  | { readonly kind: "report"; readonly report: AgentReport };

/** An envelope in its place. */
export interface Placed {
  readonly channel_id: string;
  readonly envelope_id: string;
  readonly position: number;
}

/** What an agent saw of a run. */
export interface AgentReport {
  readonly agent_id: string;
  /** Posts that the hub has acknowledged. */
  readonly acknowledged: readonly Placed[];
  /** Answers that the hub has acknowledged, by envelope id. */
  readonly answers: readonly string[];
  /** Envelopes that the hub has delivered. */
  readonly delivered: readonly Placed[];
  /** Times that the connection was lost and dialled again. */
  readonly reconnects: number;
}
