#!/usr/bin/env node
import { existsSync } from "node:fs";

const main = new URL("../dist/main.js", import.meta.url);

if (existsSync(main)) {
  await import(main.href);
} else {
  console.error("colloquy: not built yet. Run `npm run build` first.");
  process.exitCode = 1;
}
