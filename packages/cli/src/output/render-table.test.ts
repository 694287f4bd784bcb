import { expect, it } from "vitest";
import { renderTable } from "./render-table.js";

const COLUMNS = [{ title: "NAME" }, { title: "N", align: "right" as const }, { title: "REST" }];

it("lays columns out by their widest cell, in cells of the terminal", () => {
  expect(
    renderTable(
      COLUMNS,
      [
        ["你好", "7", "x"],
        ["bob", "1,234", "y"],
      ],
      null,
    ),
  ).toEqual(["NAME      N  REST", "你好      7  x", "bob   1,234  y"]);
});

it("cuts lines to the width of the terminal", () => {
  expect(renderTable(COLUMNS, [["bob", "1", "a long rest"]], 14)).toEqual([
    "NAME  N  REST",
    "bob   1  a lo…",
  ]);
});

it("shows titles alone when there are no rows", () => {
  expect(renderTable(COLUMNS, [], null)).toEqual(["NAME  N  REST"]);
});
