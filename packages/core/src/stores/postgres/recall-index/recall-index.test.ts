import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { losingAnswers } from "../../../../../../test/support/postgres/lose-answers.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { recallIndexConformance } from "../../../../../testing/src/conformance/recall-index.ts";
import { createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import type { RecallDocument, RecallDrop, RecallIndex } from "../../../spec/index.ts";
import type { Database } from "../database.ts";
import { createPostgresRecallIndex } from "./recall-index.ts";

const nowMs = Date.UTC(2026, 10, 15);
const none = new Set<string>();

const message = (session: string, number: number, body: string): RecallDocument => ({
  kind: "message",
  id: `${session}-m${number}`,
  session,
  atMs: nowMs + number,
  place: number * 10,
  number,
  fields: { body },
});

async function draftOf(index: RecallIndex, added: readonly RecallDocument[], drop: Partial<RecallDrop> = {}) {
  const base = must(await index.base());
  const draft = await index.draft(base);
  for (const document of added) draft.add(document);
  const whole = { droppedMemories: none, droppedNotes: none, droppedSessions: none, progress: base.progress };
  return () => draft.publish({ ...whole, ...drop });
}

async function publish(...given: Parameters<typeof draftOf>): Promise<void> {
  must(await (await draftOf(...given))());
}

async function found(index: RecallIndex, ...terms: readonly string[]): Promise<readonly string[]> {
  const { ranked } = must(await index.rank({ terms, limit: 100, nowMs }));
  return ranked.map(({ head }) => head.id).toSorted();
}

describeOnPostgres("the recall index in Postgres", async () => {
  const database = await openTestDatabase();
  const beside = await openBeside(database);
  const newProject = () => `test-${randomBytes(6).toString("hex")}`;
  const open = (on: Database, project: string, label = "a-") =>
    createPostgresRecallIndex({ database: on, project, ids: createVirtualIds(label) });

  const cases = recallIndexConformance(async () => {
    const project = newProject();
    return { first: open(database, project), second: open(beside, project, "b-") };
  });
  for (const { name, run } of cases) it(name, run);

  async function stateOf(project: string): Promise<unknown> {
    const { rows } = must(
      await database.query(
        `select documents, length_sums, length_counts, (select count(*) from ${database.schema}.recall_document as d
           where d.project = s.project) as kept, (select count(*) from ${database.schema}.recall_vector as v
           where v.project = s.project) as vectors, (select array_agg(convert_from(t.term, 'UTF8') || ' ' || t.documents
           order by t.term) from ${database.schema}.recall_term as t where t.project = s.project) as terms
         from ${database.schema}.recall_state as s where s.project = $1`,
        [project],
      ),
    );
    return rows[0];
  }

  it("publishes once and puts vectors once though every answer is lost", async () => {
    const project = newProject();
    const losing = losingAnswers(database);
    const index = open(losing, project);
    const documents = [message("a", 1, "tide7 tide7 sand7"), message("b", 1, "tide7")];
    await publish(index, documents);
    const put = documents.map((head) => ({ head, vector: Float32Array.of(1, 0) }));
    expect(await index.vectors?.put({ id: "e", dimensions: 2 }, put)).toEqual({ ok: true, value: 2 });
    expect(await stateOf(project)).toEqual({
      documents: 2,
      length_sums: ["4", "0", "0", "0"],
      length_counts: ["2", "0", "0", "0"],
      kept: 2,
      vectors: 2,
      terms: ["sand7 1", "tide7 2"],
    });
    await publish(index, [], { droppedSessions: new Set(["a"]) });
    expect(await stateOf(project)).toEqual({
      documents: 1,
      length_sums: ["1", "0", "0", "0"],
      length_counts: ["1", "0", "0", "0"],
      kept: 1,
      vectors: 1,
      terms: ["tide7 1"],
    });
    expect(losing.lost()).toBeGreaterThan(3);
  });

  it("answers as the first time where another process has published since the lost answer", async () => {
    const project = newProject();
    let isCut = false;
    const cutting: Database = {
      ...database,
      async transaction(work, options) {
        const first = await database.transaction(work, options);
        if (isCut) return first;
        isCut = true;
        await publish(open(beside, project, "b-"), [message("b", 1, "sand7")]);
        return database.transaction(work, options);
      },
    };
    await publish(open(cutting, project), [message("a", 1, "tide7")]);
    expect(isCut).toBe(true);
    expect(await found(open(database, project), "tide7", "sand7")).toEqual(["a-m1", "b-m1"]);
  });

  it("lets one of several that publish at once be first, and tells the others so", async () => {
    const project = newProject();
    const drafts = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        draftOf(open(at % 2 === 0 ? database : beside, project, `${at}-`), [message(`s${at}`, 1, "tide7")]),
      ),
    );
    const outcomes = await Promise.all(drafts.map((send) => send()));
    const lost = outcomes.filter(({ ok }) => !ok);
    expect(lost.map((one) => refused(one))).toEqual(new Array(5).fill("conflict"));
    expect(await found(open(database, project), "tide7")).toHaveLength(1);
  });

  it("keeps hostile names, texts and numbers, and shares nothing between projects", async () => {
    const [project, other] = [newProject(), newProject()];
    const index = open(database, project);
    const hostile: RecallDocument[] = [
      "\0",
      "'; drop table x; --",
      '{},\\"',
      "\u202e\u{1F600}",
      "x".repeat(10_000),
    ].map((name, at) => ({
      kind: "message",
      id: name,
      session: name,
      atMs: at === 0 ? 0.5 : -at,
      place: 2 ** 52 + at,
      number: at,
      fields: { body: `tide7 ${name} \ud800`, name, description: "\0", tags: "constructor __proto__" },
    }));
    const large = message("large", 1, `tide7 ${"word7 ".repeat(40_000)}`);
    await publish(index, [...hostile, large]);
    await publish(open(database, other), [message("o", 1, "tide7")]);
    const { ranked } = must(await index.rank({ terms: ["tide7", "__proto__"], limit: 100, nowMs }));
    const heads = [...hostile, large].map(({ fields: _fields, ...head }) => head);
    const sorted = (all: readonly { readonly id: string }[]) =>
      all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(sorted(ranked.map(({ head }) => head))).toEqual(sorted(heads));
    await publish(index, [], { droppedSessions: new Set(heads.map(({ session }) => session)) });
    expect(await stateOf(project)).toMatchObject({
      documents: 0,
      length_sums: ["0", "0", "0", "0"],
      terms: null,
    });
    expect(await found(open(database, other), "tide7")).toEqual(["o-m1"]);
  });

  it("takes in words that are cut within a character, and so are the same in bytes", async () => {
    const project = newProject();
    const index = open(database, project);
    const cut = ["\u{10428}", "\u{1E922}"].map((last) => `a${"\u{10428}".repeat(31)}${last}`);
    await publish(index, [message("a", 1, cut.join(" ")), message("b", 1, `${cut[1]} tide7`)]);
    expect(await found(index, `${cut[0]?.slice(0, 64)}`)).toEqual(["a-m1", "b-m1"]);
    expect(await stateOf(project)).toMatchObject({
      documents: 2,
      terms: [expect.stringMatching(/ 2$/), "tide7 1"],
    });
  });

  it("takes in more documents than go with one statement, and words of any number", async () => {
    const index = open(database, newProject());
    const many = Array.from({ length: 2_100 }, (_, at) =>
      message("a", at + 1, `tide7 w${at}x v${at}x u${at}x y${at}x z${at}x`),
    );
    await publish(index, many);
    const ids = async (term: string) => found(index, term);
    expect([await ids("w0x"), await ids("z2099x"), (await ids("tide7")).length]).toEqual([
      ["a-m1"],
      ["a-m2100"],
      100,
    ]);
  });

  it.each([
    ["is damaged", "progress = 'x'", true, ["corrupt"]],
    ["is of another format", "format = 0", false, []],
  ])("is made anew where it %s", async (_what, change, isDamaged, codes) => {
    const project = newProject();
    const index = open(database, project);
    const progress = { sessions: new Map(), memories: new Map([["x.md", 1]]) };
    await publish(index, [message("a", 1, "tide7")], { progress });
    must(
      await database.query(`update ${database.schema}.recall_state set ${change} where project = $1`, [
        project,
      ]),
    );
    const base = must(await index.base());
    expect([base.isDamaged, base.problems.map(({ code }) => code)]).toEqual([isDamaged, codes]);
    expect([...base.progress.memories]).toEqual([]);
    await publish(index, [message("b", 1, "tide7")]);
    expect(await found(index, "tide7")).toEqual(["b-m1"]);
    expect(await stateOf(project)).toMatchObject({ documents: 1, kept: 1, terms: ["tide7 1"] });
  });

  it("ranks what it has read when it may not go on", async () => {
    const index = open(database, newProject());
    await publish(
      index,
      Array.from({ length: 300 }, (_, at) => message("a", at + 1, "tide7")),
    );
    let asked = 0;
    const hasTime = () => ++asked <= 3;
    const { ranked, isPartial } = must(await index.rank({ terms: ["tide7"], limit: 500, nowMs, hasTime }));
    expect([ranked.length, isPartial]).toEqual([256, true]);
  });

  it("throws for a draft of another index's base", async () => {
    const base = must(await open(database, newProject()).base());
    await expect(open(database, newProject()).draft(base)).rejects.toThrow("same index");
  });
});
