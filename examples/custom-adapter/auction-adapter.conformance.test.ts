import { fakeChannel, fakeEnvelope, runAdapterConformance } from "@colloquy/testkit";
import { createAuctionAdapter } from "./auction-adapter.js";

const { manifest } = createAuctionAdapter();
const channel = fakeChannel(manifest, ["seller", "ann", "ben", "cat"], {
  lot: "a globe",
  start: 10,
});
const says = (sender: string, text: string) =>
  fakeEnvelope(channel, sender, { event_data: { text } });
const opening = says("seller", "A globe, a little dusty.");

runAdapterConformance("auction", createAuctionAdapter, [
  { name: "under way", channel, course: [opening, says("ann", "20"), says("ben", "pass")] },
  {
    name: "sold",
    channel,
    course: [
      opening,
      says("ann", "20"),
      says("ben", "no, thank you"),
      says("cat", "25"),
      says("ann", "pass"),
    ],
    closes: "sold",
  },
  {
    name: "unsold",
    channel,
    course: [opening, says("ann", "pass"), says("ben", "pass"), says("cat", "pass")],
    closes: "unsold",
  },
]);
