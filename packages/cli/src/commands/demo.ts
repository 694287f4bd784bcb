import type { Command } from "commander";
import type { Host } from "../host/host.js";

/** Adds nothing: this build has no demo. */
export function addDemoCommand(_program: Command, _host: Host): void {}
