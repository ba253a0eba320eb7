// A second made-up sample, made otherwise than the first: four people, each with facts of the same kinds, so that the
// same words stand in many turns and only a few together tell them apart. Half of the facts are answers to a question
// that was asked the turn before, as in talk. Which fact, which wording and which small talk is drawn from a seed.
import { createDraw } from "./search-entries.mjs";

const people = ["Priya", "Tomasz", "Leila", "Owen"];

/** What can be known of a person: how it is told, asked in passing, and asked for later; `*` is the thing. */
const kinds = [
  {
    things: ["a harbour museum", "the tram depot", "a bakery in the old town", "the city archive"],
    told: ["I have been working at * since spring", "my new employer is *", "they hired me at *"],
    passing: ["Where do you work these days?", "Did you find another job?"],
    asked: ["Where does P work?", "Who is the employer of P?", "What job did P find?"],
  },
  {
    things: ["two greyhounds", "a tortoise called Bolt", "three hens", "a parrot that swears"],
    told: ["we keep * now", "there are * living with us", "we got * from the shelter"],
    passing: ["Do you have animals at home?", "Any pets?"],
    asked: ["Which pets does P have?", "What animals live with P?", "What did P get from the shelter?"],
  },
  {
    things: ["pottery", "fencing", "birdwatching", "restoring radios"],
    told: ["on Sundays I do *", "my hobby is * at the moment", "I spend every free hour on *"],
    passing: ["What do you do for fun?", "How do you spend your weekends?"],
    asked: ["What is the hobby of P?", "How does P spend Sundays?", "What does P do in free hours?"],
  },
  {
    things: ["the Azores", "Tbilisi", "Hokkaido", "the Faroe Islands"],
    told: ["next holiday we fly to *", "we booked a trip to *", "I am travelling to * in autumn"],
    passing: ["Where will you go on holiday?", "Have you booked anything yet?"],
    asked: ["Where is P travelling in autumn?", "Which trip did P book?", "Where does P go on holiday?"],
  },
  {
    things: ["a torn ligament", "migraines", "a broken toe", "hay fever"],
    told: ["the doctor says it is *", "I have been suffering from *", "* keeps me at home"],
    passing: ["How is your health?", "What did the doctor say?"],
    asked: ["What is P suffering from?", "What did the doctor of P say?", "What keeps P at home?"],
  },
  {
    things: ["Rust", "a loom from 1920", "an electric van", "a telescope"],
    told: ["I finally bought *, well, sort of", "my savings went into *", "I spent the bonus on *"],
    passing: ["What happened to your savings?", "Did you buy anything with the bonus?"],
    asked: ["What did P spend the bonus on?", "Where did the savings of P go?", "What did P buy?"],
  },
];

const smallTalk = [
  "Good to hear from you!",
  "The trains were late again this morning.",
  "I will call you later, the kettle is boiling.",
  "Ha, that reminds me of school.",
  "My neighbour has been drilling since seven.",
  "We should meet before the month is over.",
  "Can you send me that picture again?",
  "It rained so hard that the cellar was wet.",
  "Sorry, I was somewhere else with my thoughts.",
  "I am reading a thick book about rivers.",
];

export function createPeopleSample(seed = 7, conversations = 6) {
  const draw = createDraw(seed);
  return Array.from({ length: conversations }, () => createConversation(draw));
}

function createConversation(draw) {
  const pick = (list) => list[Math.floor(draw() * list.length)];
  const turns = [];
  const questions = [];
  const say = (speaker, text) => {
    const id = `D${1 + Math.floor(turns.length / 24)}:${(turns.length % 24) + 1}`;
    turns.push({ id, session: id.split(":")[0], speaker, text });
    return id;
  };
  const facts = people.flatMap((person) => kinds.map((kind) => ({ person, kind }))).sort(() => draw() - 0.5);
  for (const { person, kind } of facts) {
    for (let left = 2 + Math.floor(draw() * 6); left > 0; left -= 1) say(pick(people), pick(smallTalk));
    const thing = pick(kind.things);
    const isAnswer = draw() < 0.5;
    if (isAnswer) say(pick(people.filter((one) => one !== person)), pick(kind.passing));
    const told = isAnswer && draw() < 0.5 ? `Oh, ${thing}.` : `Well, ${pick(kind.told).replace("*", thing)}.`;
    const evidence = [say(person, told)];
    questions.push({ question: pick(kind.asked).replace("P", person), evidence });
  }
  return { turns, questions };
}
