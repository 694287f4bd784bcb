import type { Story } from "./story.js";

/** The shelves stand; the books have to get there. */
export const moveTheBooks: Story = {
  title: "moving the books",
  consulting: {
    question: "Bruno, the shelves smell of oil. When may the first book touch them?",
    answer:
      "Give them nine dry days with the windows open. Rub a white cloth over the wood: clean cloth, go ahead.",
  },
  conversation: [
    "Chiara, 1,100 books and one lane up to the mill. How do we carry them?",
    "We do not carry them, we pass them: a line of people from the school, arm to arm.",
    "That is 400 metres. We would need half the village.",
    "Half the village is what I hope for. Whoever has held a book wants to see where it went.",
    "Saturday at ten, then, and soup at noon. What about the order of the shelves?",
    "A coloured ribbon per shelf, the same ribbon round each pile. Nobody has to read to sort.",
  ],
  discussion: [
    "If it rains on Saturday, what then? Books and rain have never been friends.",
    "I can stretch the market awning over the bridge. The rest of the lane has trees.",
    "Fifty wax cloths lie in the school cellar, one for each pile. Rain would only slow us down.",
    "Slow is fine. I will ask the band to play slowly, too.",
    "Let somebody strong stand at the mill stairs. Those steps were built for sacks, not for people.",
    "I will stand there myself, and hand every ribbon its shelf.",
  ],
  workflow: {
    request: "Dag, soup for everybody and hire of the hand carts: what may it cost?",
    budget: 180,
    grant:
      "{budget} crowns, and the baker gives the bread for nothing if he may choose a book first.",
    handover: "the carts are Bruno's trade",
    amount: 6,
    offer:
      "{amount} carts cost half of the {budget} crowns, which leaves the other half for the soup.",
    decision: "{amount} carts for the encyclopaedias, hands for all the rest. Saturday it is.",
    summary: "{amount} carts and soup for {budget} crowns, on Saturday at ten",
  },
};
