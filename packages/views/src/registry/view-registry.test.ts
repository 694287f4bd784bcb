import { InvalidInputError, NotFoundError, type ViewPolicy } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createDefaultViewRegistry } from "./default-view-registry.js";
import { createViewRegistry } from "./view-registry.js";

const silent = (name: string): ViewPolicy => ({ name, needs: { last: 0 }, project: () => [] });

function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("createViewRegistry", () => {
  it("hands parsed arguments to the factory", () => {
    const registry = createViewRegistry();
    const args = z.strictObject({ mark: z.string().default("!") });
    registry.register("silent", args, ({ mark }) => silent(`silent${mark}`));
    expect(registry.names).toEqual(["silent"]);
    expect(registry.create({ name: "silent", args: {} }).name).toBe("silent!");
    expect(registry.create({ name: "silent", args: { mark: "?" } }).name).toBe("silent?");
  });

  it("refuses an empty name and one that is taken", () => {
    const registry = createViewRegistry();
    registry.register("silent", z.strictObject({}), () => silent("silent"));
    for (const name of ["", "silent"]) {
      const error = errorOf(() => registry.register(name, z.strictObject({}), () => silent(name)));
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error).toMatchObject({ details: { field: "name" } });
    }
  });

  it("says when no view is registered at all", () => {
    expect(() => createViewRegistry().create({ name: "x", args: {} })).toThrow(
      /none is registered/,
    );
  });
});

describe("createDefaultViewRegistry", () => {
  const names = [
    "full_transcript",
    "named_transcript",
    "named_windowed_summary",
    "windowed_summary",
  ];

  it("knows the four built-in views", () => {
    const registry = createDefaultViewRegistry();
    expect(registry.names).toEqual(names);
    expect(registry.create({ name: "full_transcript", args: {} }).needs).toBe("all");
    expect(registry.create({ name: "named_transcript", args: {} }).needs).toBe("all");
    for (const name of ["windowed_summary", "named_windowed_summary"]) {
      const view = registry.create({ name, args: { recent_n: 7 } });
      expect(view).toMatchObject({ name, needs: { last: 7 } });
    }
  });

  it.each(["nonsense", "__proto__", "", "x".repeat(5000)])("lists the known views", (name) => {
    const error = errorOf(() => createDefaultViewRegistry().create({ name, args: {} }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect((error as Error).message).toContain(names.join(", "));
    expect((error as Error).message.length).toBeLessThan(300);
    expect(error).toMatchObject({ details: { known: names } });
  });

  it.each([
    ["windowed_summary", {}, "recent_n"],
    ["windowed_summary", { recent_n: 0 }, "recent_n"],
    ["windowed_summary", { recent_n: 2.5 }, "recent_n"],
    ["named_windowed_summary", { recent_n: "3" }, "recent_n"],
    ["named_windowed_summary", { recent_n: 3, pinned: true }, ""],
    ["full_transcript", { recent_n: 3 }, ""],
  ])("refuses bad arguments of %s: %j", (name, args, field) => {
    const error = errorOf(() => createDefaultViewRegistry().create({ name, args }));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect((error as Error).message).toContain(`arguments of view "${name}"`);
    expect(error).toMatchObject({ details: { field } });
  });
});
