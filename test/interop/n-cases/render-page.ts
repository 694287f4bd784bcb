import { fileURLToPath } from "node:url";
import { heldShare, type Verdict } from "./verdicts.js";

/** The page that shows the table. */
export const PAGE = fileURLToPath(new URL("../../../docs/ag2-compatibility.md", import.meta.url));
const BEGIN = "<!-- table: begin -->";
const END = "<!-- table: end -->";

/** The page with the table put in its place. */
export function renderPage(page: string, verdicts: readonly Verdict[]): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error(`the page needs the marks ${BEGIN} and ${END}`);
  return `${page.slice(0, from + BEGIN.length)}\n\n${renderTable(verdicts)}\n\n${page.slice(to)}`;
}

/** The table: a summary, what is not held, and every case. */
export function renderTable(verdicts: readonly Verdict[]): string {
  const of = (wanted: Verdict["verdict"]) => verdicts.filter(({ verdict }) => verdict === wanted);
  const crossing = verdicts.length - of("not applicable").length;
  const share = (heldShare(verdicts) * 100).toFixed(1);
  const rows = verdicts.map(
    ({ number, verdict, reason }) => `| ${caseId(number)} | ${verdict} | ${reason} |`,
  );
  return [
    `Of ${verdicts.length} cases ${crossing} can cross a wire; ${of("held").length} of these are held (${share} %), ${of("not held").length} are not.`,
    "",
    "| case | through AG2's client | reason |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function caseId(number: number): string {
  return `N-${String(number).padStart(3, "0")}`;
}
