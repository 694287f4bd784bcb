import type { Passport, Resume, Rule } from "@colloquy/protocol";

/** What is registered. */
export interface RegisterIdentity {
  readonly passport: Passport;
  readonly resume: Resume;
  readonly rule?: Rule | null | undefined;
  readonly skill_md?: string | null | undefined;
}
