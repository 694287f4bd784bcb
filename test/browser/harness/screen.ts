import type { Page } from "playwright-core";

/** One line of a list on the page. */
export interface Line {
  readonly id: string;
  readonly state: string;
  readonly hasGaps: boolean;
  readonly text: string;
}

/** What stands on the page. */
export interface Screen {
  /** Entries of the channel that say something, in the page's order. */
  entries(): Promise<Line[]>;
  /** Every state of an entry that was shown since the page was loaded. */
  history(): Promise<Line[]>;
  /** Messages that are not sent: state and text. */
  outgoing(): Promise<string[]>;
  /** State of the link, and how many write: both as shown. */
  status(): Promise<{ link: string; current: string; writing: string }>;
  say(text: string): Promise<void>;
}

/** Reads a page's document. */
export function readScreen(page: Page): Screen {
  const lines = async (list: string): Promise<Line[]> => {
    const found = await page.locator(`${list} > li`).evaluateAll((nodes) =>
      nodes.map((node) => {
        const { id, state, gaps } = (node as unknown as { dataset: Record<string, string> })
          .dataset;
        return { id: id ?? "", state: state ?? "", gaps, text: node.textContent ?? "" };
      }),
    );
    return found.map(({ gaps, ...line }) => ({ ...line, hasGaps: gaps === "true" }));
  };
  const text = async (id: string): Promise<string> => (await page.locator(id).textContent()) ?? "";
  return {
    entries: () => lines("#entries"),
    history: () => lines("#history"),
    outgoing: async () => (await lines("#outgoing")).map((line) => `${line.state}: ${line.text}`),
    status: async () => ({
      link: await text("#link"),
      current: await text("#current"),
      writing: await text("#writing"),
    }),
    async say(words) {
      await page.fill("#words", words);
      await page.click("#say button");
    },
  };
}
