import type { Story } from "./story.js";

/** The village decides to turn the old mill into a library. */
export const planTheLibrary: Story = {
  title: "a library for the village",
  consulting: {
    question: "Bruno, can the upper floor of the old mill carry 3,000 books?",
    answer:
      "Along the walls, yes: the beams there are oak and sound. Keep the middle of the room for chairs.",
  },
  conversation: [
    "Chiara, the mill is ours if we want it. What does a library need first?",
    "A door that is open when people are free: Tuesday evening and Saturday morning.",
    "And books? We have four boxes from the school and a promise from the parish.",
    "That is enough to begin. I would rather lend 500 good books than store 3,000 tired ones.",
    "Who looks after it when you are away?",
    "Two volunteers and a simple rule: write your name on the card, bring the book back in a month.",
  ],
  discussion: [
    "Where does what go? I would put the reading table under the north windows.",
    "Good light, and the floor is strongest there. The shelves can follow the three inner walls.",
    "Then the children get the low shelves by the stove, where a parent can sit down too.",
    "The stove stays, but it needs a rail around it before the children come.",
    "I can make the rail from the old grain chute. The wood has waited long enough.",
    "Settled from my side: table at the windows, children at the stove, novels along the back.",
  ],
  workflow: {
    request: "Dag, we know what we want. What can the village spend on shelves this year?",
    budget: 1_200,
    grant: "I have set aside {budget} crowns from the timber sale. Not one more, please.",
    handover: "the builder says what that buys",
    amount: 40,
    offer: "For {budget} crowns: {amount} metres of planed pine, oiled twice, standing by May.",
    decision: "{amount} metres hold the first 1,000 books with room to grow. We take it.",
    summary: "{amount} metres of shelf for {budget} crowns, ready in May",
  },
};
