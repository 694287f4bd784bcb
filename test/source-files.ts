import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

const SKIPPED = new Set(["node_modules", "dist"]);

/** Paths of the TypeScript files below a folder of the repository, relative to the root, sorted. */
export function listTypeScript(folder: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) found.push(...listTypeScript(path));
    } else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts")) {
      found.push(path);
    }
  }
  return found.sort();
}

export const isTest = (path: string): boolean => path.endsWith(".test.ts");

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Every module a file names: static, type-only, dynamic and re-exported ones alike. */
export function importsOf(path: string): string[] {
  return ts.preProcessFile(readText(path), true, true).importedFiles.map((file) => file.fileName);
}

/** `@scope/name/sub` → `@scope/name`; `name/sub` → `name`. */
export function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** The file a relative import of a file means, relative to the root. */
export function resolveRelative(from: string, specifier: string): string {
  const target = join(ROOT, dirname(from), specifier).replace(/\.js$/, ".ts");
  return relative(ROOT, target).replaceAll("\\", "/");
}
