import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clientFrameSchemas, hubFrameSchemas } from "../frames/frames.js";
import { bareCodec } from "./bare-codec.js";
import { colloquyCodec } from "./colloquy-codec.js";
import type { FrameCodec } from "./frame-codec.js";

interface Example {
  readonly kind: string;
}

function readGolden(profile: string): { kind: string; examples: Example[] }[] {
  const folder = new URL(`../../golden/${profile}/`, import.meta.url);
  return readdirSync(folder).map((file) => ({
    kind: file.replace(/\.json$/, ""),
    examples: JSON.parse(readFileSync(new URL(file, folder), "utf8")),
  }));
}

function roundTrips(codec: FrameCodec, example: Example): unknown[] {
  const text = JSON.stringify(example);
  const seen: unknown[] = [];
  if (Object.hasOwn(clientFrameSchemas, example.kind)) {
    seen.push(JSON.parse(codec.encode(codec.decodeClientFrame(text))));
  }
  if (Object.hasOwn(hubFrameSchemas, example.kind)) {
    seen.push(JSON.parse(codec.encode(codec.decodeHubFrame(text))));
  }
  return seen;
}

describe.each([bareCodec, colloquyCodec])("golden frames of $profile", (codec) => {
  const golden = readGolden(codec.profile);

  it.each(golden)("$kind is read and written unchanged", ({ kind, examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(example.kind).toBe(kind);
      const seen = roundTrips(codec, example);
      expect(seen.length).toBeGreaterThan(0);
      for (const frame of seen) expect(frame).toEqual(example);
    }
  });

  it("has a file for every kind", () => {
    const all = new Set([...Object.keys(clientFrameSchemas), ...Object.keys(hubFrameSchemas)]);
    const own = ["receipts", "delta", "hint"];
    const expected = [...all].filter((kind) => codec.profile !== "ag2" || !own.includes(kind));
    expect(golden.map(({ kind }) => kind).sort()).toEqual(expected.sort());
  });
});

it("every bare example is a valid frame of colloquy.v1", () => {
  for (const { examples } of readGolden("ag2")) {
    for (const example of examples) {
      for (const frame of roundTrips(colloquyCodec, example)) expect(frame).toEqual(example);
    }
  }
});
