import { readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOUSE, MAX_SOURCE_LINES, MAX_TEST_LINES, type Room } from "./house.js";
import {
  importsOf,
  isTest,
  listTypeScript,
  packageOf,
  ROOT,
  readText,
  resolveRelative,
} from "./source-files.js";

const rooms = Object.entries(HOUSE).map(([name, room]) => ({ name, room }));
const shipped = (name: string) => listTypeScript(`packages/${name}/src`).filter((f) => !isTest(f));
const below = (name: string, path: string) => path.slice(`packages/${name}/src/`.length);
const within = (path: string, places: readonly string[]) =>
  places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));

interface Manifest {
  readonly exports: unknown;
  readonly version: string;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}
const manifestOf = (name: string) =>
  JSON.parse(readText(`packages/${name}/package.json`)) as Manifest;

/** What is wrong with one import of one file; null if nothing is. */
function faultOf(name: string, room: Room, path: string, specifier: string): string | null {
  const place = below(name, path);
  if (specifier.startsWith(".")) {
    const target = resolveRelative(path, specifier);
    if (!specifier.endsWith(".js")) return "a relative import ends in .js";
    if (!target.startsWith(`packages/${name}/src/`)) return "leaves the package's src";
    return null;
  }
  if (isBuiltin(specifier)) {
    if (!specifier.startsWith("node:")) return "a built-in is named with node:";
    const safe = room.browserSafe;
    return safe && !within(place, safe.except) ? "must run in browsers" : null;
  }
  const used = packageOf(specifier);
  if (!room.mayImport.includes(used)) return "not in the import table";
  const only = room.onlyIn?.[used];
  if (only && !within(place, only)) return `only in ${only.join(", ")}`;
  const manifest = manifestOf(name);
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
  return used in declared ? null : "not declared as a dependency";
}

describe("the house", () => {
  it("has exactly the rooms of the table", () => {
    const folders = readdirSync(join(ROOT, "packages"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect(folders.sort()).toEqual(Object.keys(HOUSE).sort());
  });

  it("has no cycle between rooms", () => {
    const edges = new Map(
      rooms.map(({ name, room }) => [
        name,
        room.mayImport.filter((id) => id.startsWith("@colloquy/")).map((id) => id.slice(10)),
      ]),
    );
    expect(findCycle(edges)).toBeNull();
  });

  it.each(rooms)("$name imports only what the table allows", ({ name, room }) => {
    const faults = shipped(name).flatMap((path) =>
      importsOf(path).flatMap((specifier) => {
        const fault = faultOf(name, room, path, specifier);
        return fault ? [`${path}: "${specifier}" ${fault}`] : [];
      }),
    );
    expect(faults).toEqual([]);
  });

  it.each(rooms)(
    "$name declares its siblings by exact version and no stranger",
    ({ name, room }) => {
      const manifest = manifestOf(name);
      const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
      const strangers = Object.keys(declared).filter((id) => !room.mayImport.includes(id));
      expect(strangers).toEqual([]);
      for (const [id, version] of Object.entries(declared)) {
        if (id.startsWith("@colloquy/")) expect(version).toBe(manifestOf(id.slice(10)).version);
      }
    },
  );

  it.each(rooms)("$name exports the entries of the table and no more", ({ name, room }) => {
    const entries = Object.entries(room.entries).map(([subpath, file]) => [
      subpath,
      {
        "@colloquy/source": `./src/${file}.ts`,
        types: `./dist/${file}.d.ts`,
        default: `./dist/${file}.js`,
      },
    ]);
    const pinned = { ...Object.fromEntries(entries), "./package.json": "./package.json" };
    const exported = manifestOf(name).exports as Record<string, object>;
    expect(exported).toEqual(pinned);
    for (const subpath of Object.keys(room.entries)) {
      expect(Object.keys(exported[subpath] ?? {})[0]).toBe("@colloquy/source");
    }
  });

  it.each(rooms)("$name has folders without cycles", ({ name }) => {
    const edges = new Map<string, string[]>();
    for (const path of shipped(name)) {
      const from = folderNode(below(name, path));
      const targets = importsOf(path)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => folderNode(below(name, resolveRelative(path, specifier))))
        .filter((to) => to !== from);
      edges.set(from, [...(edges.get(from) ?? []), ...targets]);
    }
    expect(findCycle(edges)).toBeNull();
  });

  it.each(rooms)("$name has no export star, default export or named import of z", ({ name }) => {
    const faults = shipped(name).flatMap((path) => {
      const text = readText(path);
      return [
        /^\s*export\s+(type\s+)?\*/m.test(text) ? `${path}: export *` : [],
        /^\s*export\s+(default\b|\{[^}]*\bas\s+default\b)/m.test(text) ? `${path}: default` : [],
        /^\s*import\s+\{[^}]*\}\s+from\s+"zod"/m.test(text) ? `${path}: import * as z` : [],
      ].flat();
    });
    expect(faults).toEqual([]);
  });

  it.each(rooms.filter(({ room }) => room.deterministic))(
    "$name draws no randomness of its own",
    ({ name, room }) => {
      const places = shipped(name).filter(
        (path) => !within(below(name, path), room.deterministic?.except ?? []),
      );
      const random = /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b/;
      expect(places.filter((path) => random.test(readText(path)))).toEqual([]);
    },
  );

  it.each(rooms.filter(({ room }) => room.implementsPort))(
    "$name proves its port with a conformance test",
    ({ name }) => {
      const files = listTypeScript(`packages/${name}/src`);
      const written = files.filter((path) => readText(path).trim() !== "export {};");
      const proven = files.some((path) => path.endsWith(".conformance.test.ts"));
      expect(proven || written.length === 0).toBe(true);
    },
  );
});

describe("file sizes", () => {
  const sizes = (paths: readonly string[]) =>
    paths.map((path) => ({ path, lines: readText(path).trimEnd().split("\n").length }));

  it("stay below the limits", () => {
    const all = ["packages", "test", "examples", "scripts"].flatMap(listTypeScript);
    const source = sizes(all.filter((path) => !isTest(path) && !path.startsWith("test/")));
    const tests = sizes(all.filter((path) => isTest(path) || path.startsWith("test/")));
    expect(source.filter(({ lines }) => lines > MAX_SOURCE_LINES)).toEqual([]);
    expect(tests.filter(({ lines }) => lines > MAX_TEST_LINES)).toEqual([]);
    const sorted = source.map(({ lines }) => lines).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
    process.stdout.write(
      `${sorted.length} source files: median ${at(0.5)} lines, p90 ${at(0.9)}, largest ${at(1)}\n`,
    );
  });
});

/** A folder directly below `src`, or the file itself where it lies at the top. */
function folderNode(path: string): string {
  return path.split("/")[0] ?? path;
}

/** One cycle of a graph as its nodes in order, or null. */
function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of edges.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return null;
}
