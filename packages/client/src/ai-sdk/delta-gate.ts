/** Stands between what two rounds of one turn show. */
const BETWEEN_ROUNDS = "\n\n";

/** Shows readers what a model writes, without showing anything twice. */
export interface DeltaGate {
  /** Begins the answer of a round. */
  beginRound(): void;
  /** Begins an attempt at it; gives what takes its pieces. */
  beginAttempt(): (text: string) => void;
}

/**
 * Makes a {@link DeltaGate}.
 *
 * An attempt that repeats a broken one shows nothing as long as it writes what readers have already,
 * and goes on where that ends. As soon as it differs it shows nothing more: readers keep the piece
 * that they have until the envelope replaces it, and never see two answers mixed.
 *
 * @param emit - shows a piece
 */
export function createDeltaGate(emit: (text: string) => void): DeltaGate {
  let hasShown = false;
  let shown = "";
  const show = (text: string): void => {
    emit(shown === "" && hasShown ? BETWEEN_ROUNDS + text : text);
    shown += text;
  };
  return {
    beginRound() {
      hasShown ||= shown !== "";
      shown = "";
    },
    beginAttempt() {
      const before = shown;
      let written = "";
      let differs = false;
      return (text) => {
        if (differs || text === "") return;
        if (written.length >= before.length) {
          show(text);
          return;
        }
        const missing = before.slice(written.length);
        written += text;
        if (missing.startsWith(text)) return;
        if (text.startsWith(missing)) show(text.slice(missing.length));
        else differs = true;
      };
    },
  };
}
