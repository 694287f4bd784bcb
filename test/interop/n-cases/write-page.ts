import { readFileSync, writeFileSync } from "node:fs";
import { PAGE, renderPage } from "./render-page.js";
import { claimVerdicts } from "./verdicts.js";

writeFileSync(PAGE, renderPage(readFileSync(PAGE, "utf8"), claimVerdicts()));
