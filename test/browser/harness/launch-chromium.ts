import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Where Debian's package puts it; `CHROMIUM` names another one. */
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the installed Chromium with a profile of its own. A machine without one fails the tests. */
export async function launchChromium(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    const remedy = "Install it (apt-get install -y chromium), or name another one in CHROMIUM.";
    throw new Error(`the browser tests need Chromium, and ${CHROMIUM} is not there. ${remedy}`);
  }
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}
