import { must } from "../outcome.mjs";

const word = (random) => random.below(2 ** 31).toString(36);
const textOf = (random, maxChars) => `${word(random)} é \0 `.repeat(1 + random.below(maxChars / 10));
const message = (text) => ({ kind: "message", message: { type: "user", content: `${text} \ud800` } });
const pathOf = (number) => (number % 2 === 0 ? `note-${number}.md` : `deep/note é ${number}.md`);

/** One of so many projects has a log that is copied in several parts. */
const largeEvery = 12;
const largeEntries = 14;
const largeChars = 400_000;

async function addResults({ blobs }, session, random) {
  for (let number = random.below(4); number > 0; number -= 1) {
    const { blob } = must(await blobs.put(session, Buffer.from(textOf(random, 60_000))));
    must(await blobs.name(session, blob, `toolu_${word(random)}`));
  }
}

async function addMessages(writer, random) {
  for (let number = random.below(4); number >= 0; number -= 1)
    must(await writer.append([message(textOf(random, 4_000)), message(word(random))]));
}

async function addSession(store, session, random) {
  const first = { kind: "session", session: { id: session, project: store.project } };
  const writer = must(await store.logs.create(first));
  await addMessages(writer, random);
  await addResults(store, session, random);
  if (random.below(2) === 0) must(await store.notesCopies.write(session, textOf(random, 500)));
  must(await writer.close());
}

async function addLargeLog({ logs }, session, random) {
  const writer = must(await logs.open(session, () => undefined));
  for (let number = 0; number < largeEntries; number += 1)
    must(await writer.append([message(word(random).padEnd(largeChars, "x"))]));
  must(await writer.close());
}

async function addMails({ mailbox }, random) {
  for (let number = random.below(5); number > 0; number -= 1) {
    const from = random.below(2) === 0 ? "ses_1" : "ses_2/fork";
    const at = new Date().toISOString();
    must(await mailbox.send({ id: `m-${word(random)}`, from, to: "ses_0", at, body: textOf(random, 300) }));
  }
}

async function addVersions(tree, random) {
  for (let number = random.below(6); number >= 0; number -= 1)
    must(
      await tree.write(pathOf(random.below(4)), textOf(random, 900), { author: "agent", session: "ses_0" }),
    );
}

async function consolidate({ consolidateLock }, random) {
  const how = ["complete", "abandon", "none"][random.below(3)];
  if (how !== "none") must(await must(await consolidateLock.acquire())[how]());
}

/** Fills an empty project with something of everything that a store keeps. */
export async function makeProject(store, random) {
  for (let number = 1 + random.below(3); number >= 0; number -= 1) {
    await addSession(store, `ses_${number}`, random);
    if (random.below(3) === 0) await addSession(store, `ses_${number}/fork`, random);
  }
  if (random.below(largeEvery) === 0) await addLargeLog(store, "ses_1", random);
  await addSession(store, "ses_gone", random);
  must(await store.logs.remove("ses_gone", "the project was made without it"));
  const memory = store.tree("memory");
  await addVersions(memory, random);
  must(await memory.write("gone.md", "for a while", { author: "user" }));
  must(await memory.remove("gone.md", { author: "user" }));
  await addVersions(store.tree("dreams"), random);
  await addMails(store, random);
  await consolidate(store, random);
}

/** Goes on with a project, as somebody does who is told to run the migration again later. */
export async function growProject(store, random) {
  const writer = must(await store.logs.open("ses_0", () => undefined));
  await addMessages(writer, random);
  await addResults(store, "ses_0", random);
  must(await store.notesCopies.write("ses_0", textOf(random, 500)));
  must(await writer.close());
  await addVersions(store.tree("memory"), random);
  await addMails(store, random);
  await consolidate(store, random);
  if (random.below(2) === 0) await addSession(store, `ses_later-${word(random)}`, random);
}
