// @ts-expect-error -- the parser brings no types
import parsePrometheus from "parse-prometheus-text-format";

/** Figures of one name, as a parser of others reads them from a page for Prometheus. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly metrics: readonly {
    readonly value?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly buckets?: Readonly<Record<string, string>>;
    readonly count?: string;
  }[];
}

/** Reads a page; by name. */
export function parsePage(text: string): ReadonlyMap<string, Family> {
  const families = parsePrometheus(bucketsFirst(text)) as Family[];
  return new Map(families.map((family) => [family.name, family]));
}

/** The format leaves the order within a family open; the parser wants sum and count behind the buckets. */
function bucketsFirst(text: string): string {
  const lines = text.split("\n");
  const totals: string[] = [];
  const sorted = lines.flatMap((line) => {
    if (/^\w+_(sum|count)(\{| )/.test(line)) {
      totals.push(line);
      return [];
    }
    return line.startsWith("# HELP") || line === "" ? [...totals.splice(0), line] : [line];
  });
  return sorted.join("\n");
}
