import type { Story } from "./story.js";

/** The first evening of the library. */
export const openTheDoor: Story = {
  title: "the first evening",
  consulting: {
    question: "Bruno, how many people may sit upstairs at the opening?",
    answer:
      "Sixty on chairs along the walls, and nobody dances. For dancing there is the yard; it is stone.",
  },
  conversation: [
    "Chiara, what is the first thing that people see when they come in?",
    "The empty shelf by the door. A card on it says: this one is for what you bring.",
    "Not the new atlas? It cost us a month of cake sales.",
    "The atlas lies open on the table, at our valley. Nobody will walk past that.",
    "And who borrows the first book?",
    "The youngest who can write a name on a card. I have been practising with four of them.",
  ],
  discussion: [
    "Speeches. I propose one, and that it is short.",
    "Mine would be: the floor holds. I can say that from the ladder while I fix the lamp.",
    "Let us read instead of speaking: one page each, from a book that we would not give away.",
    "Then I read the page with the lighthouse. And after that we open the windows.",
    "With the windows open the whole yard hears it. Should I build a small step for the readers?",
    "Yes, a step and a lamp. That is the whole stage that a library needs.",
  ],
  workflow: {
    request: "Dag, lamps for the yard and a reading lamp upstairs: can we?",
    budget: 95,
    grant: "We can: {budget} crowns are left of the cake money, to the last crumb.",
    handover: "lamps hang from what Bruno nails up",
    amount: 12,
    offer:
      "{budget} crowns make {amount} lanterns of tin and glass, and one lamp that does not flicker.",
    decision: "{amount} lanterns in the yard and the good lamp on the step. We open at dusk.",
    summary: "{amount} lanterns for {budget} crowns; the library opens at dusk",
  },
};
