/** First and last number of a run of cases. */
type Run = readonly [first: number, last: number];

/** Cases that no wire carries, each with the reason. */
const RUNS: readonly (readonly [reason: string, ...runs: Run[]])[] = [
  ["registers on the hub object itself, in its process", [7, 7], [18, 21]],
  ["is refused inside the client, before anything is sent", [9, 9], [120, 121], [181, 181]],
  ["looks at objects of the client alone", [13, 13], [239, 241]],
  ["calls the hub object itself, in its process", [17, 17], [177, 177], [201, 204]],
  ["looks at tables inside the hub", [26, 26]],
  ["calls an adapter's pure function with a state made by hand", [35, 36], [40, 40]],
  ["calls a pure function of transition graphs", [52, 63]],
  ["calls a pure function of the round's encoding", [70, 78]],
  ["calls a pure function of an adapter for its tools and envelopes", [86, 91]],
  ["calls a pure function of a view", [107, 109], [112, 118]],
  ["calls a pure function that reads durations or addresses", [132, 133], [198, 200]],
  ["listens to the hub in its process", [143, 143], [224, 226]],
  ["evaluates expectations under a clock of its own, in the hub's process", [144, 150], [152, 157]],
  ["calls an authenticator object with a resolver of its own", [191, 191]],
  ["replaces a hub's adapters, or edits its store", [205, 205], [210, 212]],
  ["reads the audit log, for which AG2's wire has no operation", [216, 223]],
  ["installs an arbiter in the hub's process", [227, 227]],
  ["reads health, for which AG2's wire has no operation", [228, 228]],
  ["looks at spans inside the hub's process", [229, 232], [234, 235]],
  ["looks at a constant", [237, 238]],
  ["calls a pure function of skill texts", [247, 252]],
  ["extends the hub in its process", [257, 259]],
];

/** Why a case cannot cross a wire; null for one that can. */
export function whyNotApplicable(number: number): string | null {
  const found = RUNS.find(([, ...runs]) =>
    runs.some(([first, last]) => first <= number && number <= last),
  );
  return found?.[0] ?? null;
}
