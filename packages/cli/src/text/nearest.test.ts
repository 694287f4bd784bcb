import { expect, it } from "vitest";
import { nearest } from "./nearest.js";

it("finds what a slip of the finger meant, nearest first", () => {
  const names = ["deliveryWindow", "durability", "data", "host", "port"];
  expect(nearest("delivryWindow", names, 3)).toEqual(["deliveryWindow"]);
  expect(nearest("DURABILTY", names, 3)).toEqual(["durability"]);
  expect(nearest("hots", ["hosts", "host", "port"], 2)).toEqual(["hosts", "host"]);
  expect(nearest("elephant", names, 3)).toEqual([]);
});

it("finds what a part of a word meant, and keeps to the limit", () => {
  expect(nearest("alice", ["bob", "alice-2", "alice-1"], 2)).toEqual(["alice-2", "alice-1"]);
  expect(nearest("al", ["alice"], 2)).toEqual([]);
});
