/** Joins the demonstration that `npm start` runs, and asks the librarian. */
import { createHubClient, type Turn } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";

const hub = createHubClient({ link: createNodeLink(process.argv[2] ?? "ws://127.0.0.1:7420") });
const guest = {
  name: "Guest",
  ask: async ({ input }: Turn) => ({ text: `${input}?`, events: [] }),
};
const identity = { passport: {}, resume: { summary: "Visits the library." } };
const client = await hub.attach(guest, guest.name, identity);
const answer = await client.consult("Chiara", "Good morning! I am new here. What can I read?");
console.log(`Chiara: ${answer}`);
await hub.drain();
