/** Whose rules a history must keep. `any` keeps them all. */
export type StrictProvider = "any" | "openai" | "anthropic" | "google";

/** What providers differ in beyond the rules that hold for all of them. */
export interface RoleRules {
  /** Instructions stand once, at the very front, in the role `system`. */
  readonly instructionsFirst: boolean;
  /** The first message behind the instructions is the user's. */
  readonly opensWithUser: boolean;
}

const STRICTEST: RoleRules = { instructionsFirst: true, opensWithUser: true };

/** Rules by provider. */
export const ROLE_RULES: Readonly<Record<StrictProvider, RoleRules>> = {
  any: STRICTEST,
  anthropic: STRICTEST,
  google: STRICTEST,
  openai: { instructionsFirst: false, opensWithUser: false },
};
