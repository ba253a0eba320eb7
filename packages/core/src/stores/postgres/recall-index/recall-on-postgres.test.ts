import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { losingAnswers } from "../../../../../../test/support/postgres/lose-answers.ts";
import { createPostgresSessions } from "../../../../../../test/support/postgres/postgres-sessions.ts";
import {
  describeOnPostgres,
  openTestDatabase,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { find, notesOf, said } from "../../../../../../test/support/recall-store.ts";
import { must } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import { createRedaction } from "../../../log/redaction.ts";
import { openRecall } from "../../../session/recall-index/index.ts";
import type { EntryDraft, Store } from "../../../spec/index.ts";
import type { Database } from "../database.ts";
import { createPostgresRecallIndex } from "../recall-index/recall-index.ts";
import { createPostgresTree } from "../trees/file-tree.ts";
import { redactSession } from "../upkeep/redact-session.ts";

let opened = 0;

/** Logs, memories and index of one project, all in Postgres, as a process of its own. */
function openRecallOn(database: Database, project?: string) {
  opened += 1;
  const sessions = createPostgresSessions({ database, ...(project !== undefined && { project }) });
  const ids = createVirtualIds(`r${opened}-`);
  const store: Store = {
    ...sessions,
    tree: (tree) => createPostgresTree({ ...sessions, tree }),
    recallIndex: createPostgresRecallIndex({ database, project: sessions.project, ids }),
  };
  return { ...sessions, sessions, store, recall: openRecall({ store, clock: sessions.clock, ids }) };
}

async function append({ logs }: Store, session: string, drafts: readonly EntryDraft[]): Promise<void> {
  const isThere = must(await logs.list()).some((one) => one.session === session);
  const created = { kind: "session", session: { id: session, project: "p" } } as const;
  const writer = must(isThere ? await logs.open(session, () => undefined) : await logs.create(created));
  must(await writer.append(drafts));
  must(await writer.close());
}

const memory = (body: string) =>
  `---\nname: deploys\ndescription: when deploying\ntype: project\n---\n${body}\n`;

describeOnPostgres("recall over logs, memories and an index in Postgres", async () => {
  const plain = await openTestDatabase();

  async function words(project: string): Promise<readonly string[]> {
    const found = await plain.query<{ term: Buffer }>(
      `select term from ${plain.schema}.recall_term where project = $1`,
      [project],
    );
    return must(found).rows.map(({ term }) => term.toString());
  }

  it.each([
    ["", plain],
    [", every answer lost once", losingAnswers(plain)],
  ])("finds what was written, reads only what is new, and forgets what is gone%s", async (_how, database) => {
    const { store, recall, project } = openRecallOn(database);
    const tree = store.tree("memory");
    must(await tree.write("deploys.md", memory("Staging runs in Frankfurt."), { author: "user" }));
    await append(store, "one", [
      said("user", "Where does staging run?"),
      notesOf("Frankfurt was asked for."),
    ]);
    await append(store, "gone", [said("user", "xylophone staging"), notesOf("xylophone notes")]);
    expect(must(await recall.update())).toEqual({ added: 5, removed: 0, embedded: 0, problems: [] });
    expect((await find(recall, "staging in Frankfurt")).toSorted()).toEqual([
      "memory deploys.md: when deploying Staging runs in Frankfurt.",
      "message gone: xylophone staging",
      "message one: Where does staging run?",
      "notes one: Frankfurt was asked for.",
    ]);
    expect(must(await recall.update())).toMatchObject({ added: 0, removed: 0 });
    await append(store, "one", [said("assistant", "In Frankfurt."), notesOf("Answered: staging.")]);
    must(await tree.write("deploys.md", memory("It runs in Paris."), { author: "user" }));
    must(await store.logs.remove("gone", "test"));
    expect(await find(recall, "xylophone")).toEqual([]);
    expect(must(await recall.update())).toMatchObject({ added: 3, problems: [] });
    const other = openRecallOn(plain, project);
    expect(must(await other.recall.update())).toMatchObject({ added: 0, removed: 0 });
    expect((await find(other.recall, "staging Frankfurt Paris")).toSorted()).toEqual([
      "memory deploys.md: when deploying It runs in Paris.",
      "message one: In Frankfurt.",
      "message one: Where does staging run?",
      "notes one: Answered: staging.",
    ]);
    expect(await words(project)).not.toContain("xylophon");
  });

  it("has none of the words of a redacted text after the next update", async () => {
    const { store, recall, sessions, project } = openRecallOn(plain);
    const secret = `hunter${randomBytes(8).toString("hex")}`;
    await append(store, "one", [said("user", `the password is ${secret}`), said("user", "thanks")]);
    must(await recall.update());
    expect(await words(project)).toContain(secret);
    must(await redactSession(sessions, "one", must(createRedaction(secret))));
    must(await recall.update());
    expect(await words(project)).not.toContain(secret);
    expect(await find(recall, secret)).toEqual([]);
    expect(await find(recall, "password")).toHaveLength(1);
  });

  it("is kept up by two processes at once, each document once", async () => {
    const first = openRecallOn(plain);
    const second = openRecallOn(plain, first.project);
    for (const session of ["a", "b", "c"])
      await append(first.store, session, [said("user", `cache ${session}`)]);
    await Promise.all([first, second].map(async ({ recall }) => must(await recall.update())));
    expect(await find(second.recall, "cache")).toHaveLength(3);
  });
});
