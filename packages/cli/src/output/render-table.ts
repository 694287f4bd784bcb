import { clipText, padText, textWidth } from "./text-width.js";

/** Blanks between two columns. */
const GAP = 2;

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
}

/**
 * Lays rows out in columns, one line per row, the titles first.
 *
 * Cells must be escaped before. Every column is as wide as its widest cell; the last one is cut
 * so that a line fits the terminal.
 *
 * @param columns - titles, in order
 * @param rows - one cell per column
 * @param width - cells of a line; null is no bound
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  const titles = columns.map((column) => column.title);
  const lines = [titles, ...rows];
  const widths = columns.map((_, at) =>
    Math.max(...lines.map((cells) => textWidth(cells[at] ?? ""))),
  );
  return lines.map((cells) => {
    const laid = columns.map((column, at) => alignCell(cells[at] ?? "", widths[at] ?? 0, column));
    const line = laid.join(" ".repeat(GAP)).trimEnd();
    return width === null ? line : clipText(line, width);
  });
}

function alignCell(cell: string, width: number, column: Column): string {
  if (column.align !== "right") return padText(cell, width);
  return " ".repeat(Math.max(0, width - textWidth(cell))) + cell;
}
