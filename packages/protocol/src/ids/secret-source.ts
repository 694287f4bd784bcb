import { nanoid } from "nanoid";

/** The only source of secrets. */
export interface SecretSource {
  /** A new text of letters, digits, `_` and `-` that nobody can guess: at least 256 bits. */
  next(): string;
}

/** Characters of 6 bits each. */
const LENGTH = 43;

/** Makes a {@link SecretSource} from the platform's secure random numbers. */
export function createSecretSource(): SecretSource {
  return { next: () => nanoid(LENGTH) };
}
