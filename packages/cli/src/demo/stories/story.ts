/** What is said in one round of the demonstration, without who says it. */
export interface Story {
  readonly title: string;
  /** A question and its answer. */
  readonly consulting: { readonly question: string; readonly answer: string };
  /** Two take turns, the first of them opens. */
  readonly conversation: readonly string[];
  /** Three take turns, the first of them opens. */
  readonly discussion: readonly string[];
  /**
   * A request, money, an offer and a decision. `{budget}` and `{amount}` stand for the context
   * variables of those names.
   */
  readonly workflow: {
    readonly request: string;
    /** Context variable that the treasurer sets, in crowns. */
    readonly budget: number;
    readonly grant: string;
    /** Why the floor is handed on. */
    readonly handover: string;
    /** Context variable that the carpenter sets. */
    readonly amount: number;
    readonly offer: string;
    readonly decision: string;
    readonly summary: string;
  };
}

/**
 * Puts context variables in the place of their names.
 *
 * @param text - with places such as `{budget}`
 * @param vars - name to value; the place of a name that is missing shows `?`
 */
export function fillIn(text: string, vars: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)\}/g, (_place, name: string) =>
    Object.hasOwn(vars, name) ? String(vars[name]) : "?",
  );
}
