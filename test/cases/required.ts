/** First and last number of a run of cases of one letter. */
type Range = readonly [first: number, last: number];

type Letter = "N" | "F";

/** Cases that a test must hold. */
const REQUIRED: Readonly<Record<Letter, readonly Range[]>> = {
  N: [[1, 259]],
  F: [
    [1, 92],
    [137, 151],
    [153, 155],
  ],
};

/** Required cases that speak of what does not exist yet, each with its reason; the table shows it. */
const APPROVALS = { later: "there are no approvals yet, apart from asking a person" };
export const LATER: Readonly<Record<string, { readonly later: string }>> = {
  "F-138": APPROVALS,
  "F-139": APPROVALS,
  "F-144": APPROVALS,
};

/** What the numbers speak of. */
const AREAS: readonly (readonly [Letter, Range, string])[] = [
  ["N", [1, 11], "registration"],
  ["N", [12, 24], "client lifecycle"],
  ["N", [25, 33], "channels"],
  ["N", [34, 39], "consulting"],
  ["N", [40, 44], "conversation"],
  ["N", [45, 51], "discussion"],
  ["N", [52, 64], "workflow graphs"],
  ["N", [65, 85], "workflow packets"],
  ["N", [86, 91], "adapter tools"],
  ["N", [92, 106], "agent tools"],
  ["N", [107, 118], "views"],
  ["N", [119, 128], "people"],
  ["N", [129, 143], "rules"],
  ["N", [144, 157], "expectations"],
  ["N", [158, 169], "delivery"],
  ["N", [170, 176], "reconnect"],
  ["N", [177, 182], "transport"],
  ["N", [183, 186], "remote control"],
  ["N", [187, 197], "authentication"],
  ["N", [198, 204], "remote agents"],
  ["N", [205, 215], "persistence"],
  ["N", [216, 223], "audit"],
  ["N", [224, 228], "observation"],
  ["N", [229, 235], "tracing"],
  ["N", [236, 244], "tasks"],
  ["N", [245, 256], "capabilities"],
  ["N", [257, 259], "extension"],
  ["F", [1, 15], "admission"],
  ["F", [16, 34], "order and turns"],
  ["F", [35, 45], "views"],
  ["F", [46, 50], "turn tools"],
  ["F", [51, 59], "transport"],
  ["F", [60, 77], "reconnect"],
  ["F", [78, 92], "storage"],
  ["F", [93, 122], "connectors"],
  ["F", [123, 136], "gateway"],
  ["F", [137, 146], "people"],
  ["F", [147, 155], "operation"],
];

/** The id of a case as tests cite it: `N-034`. */
function caseId(letter: Letter, number: number): string {
  return `${letter}-${String(number).padStart(3, "0")}`;
}

/** Every id that needs a test, in order. */
export function listRequired(): string[] {
  return (["N", "F"] as const).flatMap((letter) =>
    REQUIRED[letter].flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => caseId(letter, first + index)),
    ),
  );
}

/** The area of an id; undefined if there is no such case. */
export function areaOf(id: string): string | undefined {
  const number = Number(id.slice(2));
  const hit = AREAS.find(
    ([letter, [first, last]]) => id.startsWith(letter) && number >= first && number <= last,
  );
  return hit?.[2];
}
