// A small made-up conversation in the shape of LoCoMo, for when no file is given: turns with ids, questions with the
// ids of the turns that answer them. What is asked is worded otherwise than what was said.
const facts = [
  ["I adopted a kitten last week, her name is Miso", "What is the name of the cat she took in?"],
  ["We moved the staging servers to Frankfurt in May", "Where is the test environment hosted?"],
  ["My sister is getting married in Lisbon this autumn", "In which city is the wedding of her sister?"],
  ["I am allergic to peanuts, so no satay for me", "Which food can she not eat?"],
  ["The release was delayed because the migration script timed out", "Why did the launch slip?"],
  ["I started learning the cello in January", "Which instrument does she play?"],
  ["Our team decided to use Postgres instead of Mongo", "Which database did the team choose?"],
  ["He broke his wrist while climbing in the Dolomites", "How did he get injured?"],
  ["The invoices are sent on the third of each month", "When do bills go out?"],
  ["She teaches chemistry at the university of Graz", "What is her job?"],
  ["I sold the old car and bought a cargo bike", "What does she ride now?"],
  ["Deploys need two approvals since the outage in March", "How many people must sign off a deployment?"],
];
const openers = ["By the way,", "Did I tell you?", "You know,", "So,", "Honestly,", "Guess what:"];
const smallTalk = [
  "How was your weekend?",
  "It was nice, we went for a walk in the park.",
  "The weather has been terrible all week.",
  "I have been so busy with work lately.",
  "That sounds great, tell me more about it!",
  "I watched a film yesterday, it was rather long.",
  "Let us have a coffee some time.",
  "Do you have plans for the holidays?",
  "Not yet, maybe we will visit my parents.",
  "I should really sleep more.",
];

export function createSample() {
  const turns = [];
  const questions = [];
  const say = (text) => {
    const id = `D${1 + Math.floor(turns.length / 20)}:${(turns.length % 20) + 1}`;
    turns.push({ id, session: id.split(":")[0], speaker: turns.length % 2 === 0 ? "Ana" : "Ben", text });
    return id;
  };
  for (const [at, [fact, question]] of facts.entries()) {
    for (let filler = 0; filler < 9; filler += 1) say(smallTalk[(at * 7 + filler * 3) % smallTalk.length]);
    questions.push({ question, evidence: [say(`${openers[at % openers.length]} ${fact}.`)] });
  }
  return [{ turns, questions }];
}
