import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../source-files.js";
import { findCitations } from "./cited-cases.js";
import { renderTable, TABLE } from "./render-table.js";

const citations = findCitations();
writeFileSync(join(ROOT, TABLE), renderTable(citations));
console.log(`${TABLE}: ${citations.length} tests cite a case`);
