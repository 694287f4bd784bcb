import type { Story } from "./start-story.js";

/** Ids in the {@link tellStory}. */
export interface ToldStory {
  readonly alice: string;
  readonly bob: string;
  readonly carol: string;
  /** A conversation of alice and bob that goes on: 4 texts at positions 4 to 7. */
  readonly chat: string;
  /** A consulting of alice and bob that has closed: question and answer at 4 and 5. */
  readonly ask: string;
  /** A discussion of all three, alice has spoken: one text at position 6. */
  readonly talk: string;
}

/** Lets three agents hold three channels; the last envelope is in row 19. */
export async function tellStory(story: Story): Promise<ToldStory> {
  const alice = await story.register("alice");
  const bob = await story.register("bob");
  const carol = await story.register("carol");
  const chat = await story.open(alice, [bob], "conversation");
  await story.say(chat, alice, "Hello Bob\nsecond \u001b[31mline");
  await story.say(chat, bob, "Only for you", { audience: [alice] });
  await story.say(chat, alice, "Third");
  await story.say(chat, bob, "Fourth");
  const ask = await story.open(alice, [bob], "consulting");
  await story.say(ask, alice, "Question?");
  await story.say(ask, bob, "Answer!");
  const talk = await story.open(alice, [bob, carol], "discussion");
  await story.say(talk, alice, "Welcome, all");
  return { alice, bob, carol, chat, ask, talk };
}
