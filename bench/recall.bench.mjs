// How many of the turns that answer a question are among the first found: by words, by words and meaning, and by
// minisearch, on conversations in the shape of LoCoMo.
// npm run bench -- recall [--file locomo.json] [--seed N] [--no-hybrid] [--conversations N] [--help]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { stopWords } from "../packages/core/build/recall/tokenizer.js";
import { createRuntime } from "../packages/core/build/runtime.js";
import { openRecall } from "../packages/core/build/session/recall-index/index.js";
import { openFileStore } from "../packages/core/build/stores/files/index.js";
import { createLocalEmbeddings } from "../packages/palimpsest/build/models/embeddings/index.js";
import { installOthers } from "./install-others.mjs";
import { machineLine } from "./machine-line.mjs";
import { readConversations } from "./recall-conversations.mjs";
import { createPeopleSample } from "./recall-people.mjs";
import { createSample } from "./recall-sample.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    file: { type: "string" },
    seed: { type: "string", default: "7" },
    "no-hybrid": { type: "boolean", default: false },
    conversations: { type: "string", default: "1000" },
    help: { type: "boolean", default: false },
  },
});
const depths = [5, 10, 20];
const project = "bench-00000000";

const must = (result) => {
  if (!result.ok) throw result.error;
  return result.value;
};

const help = `Usage: npm run bench -- recall [options]

How much of the evidence of each question is among the first 5, 10 and 20 turns
found: by minisearch, by words, and by words and meaning, in one run.

  --file PATH        conversations as JSON, or a folder of such files; without
                     it two made-up samples
  --seed N           of the second sample (default: 7)
  --conversations N  only the first N of them
  --no-hybrid        by words only
  --help             this

A file is LoCoMo's own JSON (locomo10.json): an array of objects with
  conversation: { session_1: [{ dia_id: "D1:1", speaker, text, blip_caption? }], … }
  qa: [{ question, evidence: ["D1:1"] }]
or an array (or one object) of the plain shape
  turns: [{ id, text, session?, speaker? }]
  questions: [{ question, evidence: [id] }]
Evidence that names no turn is left out, and so is a question without any.
The first sample asks in other words than were used: twelve questions, of which words
alone cannot find most; minisearch finds some of them by words such as “the” and “he”,
which it does not leave out. The second asks about four people of whom the same kinds of
things were told. Both show that the bench works, not how good recall is on real talk.`;
if (values.help) {
  console.log(help);
  process.exit(0);
}

/** Gives the ids of the turns found, best first. */
async function createOurs({ turns }, embeddings) {
  const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
  const runtime = createRuntime();
  const store = must(await openFileStore({ home, project }));
  for (const session of new Set(turns.map((turn) => turn.session))) {
    const writer = must(await store.logs.create({ kind: "session", session: { id: session, project } }));
    const own = turns.filter((turn) => turn.session === session);
    const drafts = own.map(({ id, speaker, text }) => ({
      id,
      kind: "message",
      message: { type: "user", content: `${speaker}: ${text}` },
    }));
    must(await writer.append(drafts));
    must(await writer.close());
  }
  const folder = `${store.layout.root}/recall`;
  const recall = openRecall({ ...runtime, store, disk: store.disk, folder, embeddings });
  for (let left = 1; left > 0; ) {
    const { embedded, problems } = must(await recall.update());
    if (problems.length > 0) throw problems[0];
    left = embedded;
  }
  return {
    find: async (question) =>
      must(await recall.search(question, { limit: depths.at(-1) })).hits.map(({ entry }) => entry),
    end: () => rmSync(home, { recursive: true, force: true }),
  };
}

async function createMiniSearch({ turns }, options = {}) {
  const { default: MiniSearch } = await import("./others/node_modules/minisearch/dist/es/index.js");
  const index = new MiniSearch({ fields: ["text"], ...options });
  index.addAll(turns.map(({ id, speaker, text }) => ({ id, text: `${speaker}: ${text}` })));
  return { find: async (question) => index.search(question).map(({ id }) => id), end: () => undefined };
}

/** The mean share of a question's evidence among the first n, for each n. */
async function measure(conversations, create) {
  const sums = depths.map(() => 0);
  let questions = 0;
  for (const conversation of conversations) {
    const { find, end } = await create(conversation);
    try {
      for (const { question, evidence } of conversation.questions) {
        const found = await find(question);
        questions += 1;
        for (const [at, depth] of depths.entries()) {
          const first = new Set(found.slice(0, depth));
          sums[at] += evidence.filter((id) => first.has(id)).length / evidence.length;
        }
      }
    } finally {
      end();
    }
  }
  return sums.map((sum) => sum / questions);
}

const print = (name, shares) =>
  console.log(
    `${name.padEnd(38)}${shares.map((share) => `${(100 * share).toFixed(1)} %`.padStart(11)).join("")}`,
  );

const withoutStopWords = {
  processTerm: (term) => (stopWords.has(term.toLowerCase()) ? null : term.toLowerCase()),
};

async function compare(source, given, absent, embeddings) {
  const conversations = given.slice(0, Number(values.conversations));
  const count = (what) => conversations.reduce((sum, one) => sum + one[what].length, 0);
  console.log(
    `\n${source}: ${conversations.length} conversations, ${count("turns")} turns, ${count("questions")} questions`,
  );
  console.log(`${"".padEnd(38)}${depths.map((depth) => `recall@${depth}`.padStart(11)).join("")}`);
  if (absent === null) {
    print("minisearch", await measure(conversations, (one) => createMiniSearch(one)));
    print(
      "minisearch, our stop words left out",
      await measure(conversations, (one) => createMiniSearch(one, withoutStopWords)),
    );
  }
  print("Palimpsest, words", await measure(conversations, (one) => createOurs(one)));
  if (embeddings)
    print(
      "Palimpsest, words and meaning",
      await measure(conversations, (one) => createOurs(one, embeddings)),
    );
}

/** `undefined` where they are not wanted or not installed; then says what to do. */
async function findEmbeddings() {
  if (values["no-hybrid"]) return undefined;
  const embeddings = createLocalEmbeddings();
  const tried = await embeddings.embed(["Is it there?"]);
  if (tried.ok) return embeddings;
  console.log(`${tried.error.message} ${tried.error.fix}`);
  return undefined;
}

console.log(`recall on ${machineLine()}`);
const absent = installOthers();
if (absent !== null) console.log(`minisearch is absent: it could not be installed (${absent}).`);
const embeddings = await findEmbeddings();
if (values.file) await compare(values.file, readConversations(values.file), absent, embeddings);
else {
  await compare("First sample, made up", createSample(), absent, embeddings);
  const people = createPeopleSample(Number(values.seed));
  await compare(`Second sample, made up with seed ${values.seed}`, people, absent, embeddings);
}
