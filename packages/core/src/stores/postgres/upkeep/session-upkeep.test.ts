import { expect, it } from "vitest";
import { messageDraft, sessionDraft } from "../../../../../../test/support/entries.ts";
import { losingAnswers } from "../../../../../../test/support/postgres/lose-answers.ts";
import {
  createPostgresSessions,
  type PostgresSessions,
} from "../../../../../../test/support/postgres/postgres-sessions.ts";
import {
  describeOnPostgres,
  openTestDatabase,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createRedaction } from "../../../log/redaction.ts";
import type { Entry } from "../../../spec/index.ts";
import { isClean } from "../../shared/upkeep.ts";
import { sessionFootprint } from "../store-sessions.ts";
import { listProjects } from "../stores.ts";
import { redactSession } from "./redact-session.ts";
import { forksOf, readRedactions } from "./redaction-record.ts";
import { repairSession } from "./session-upkeep.ts";
import { readTombstone } from "./tombstone.ts";

const nothing = () => undefined;
const secret = "hunter2-hunter2";
const redaction = must(createRedaction(secret));

async function entriesIn({ logs }: PostgresSessions): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  must(await logs.scan("one", (entry) => entries.push(entry)));
  return entries;
}

const textsIn = async (sessions: PostgresSessions) =>
  (await entriesIn(sessions)).flatMap((entry) => (entry.kind === "message" ? [entry.message.content] : []));

async function session(sessions: PostgresSessions, ...texts: readonly string[]): Promise<readonly number[]> {
  const writer = must(await sessions.logs.create(sessionDraft("one")));
  const appended = must(await writer.append(texts.map(messageDraft)));
  must(await writer.close());
  return appended.map(({ place }) => place);
}

describeOnPostgres("upkeep of sessions on Postgres", async () => {
  const plain = await openTestDatabase();
  const { schema } = plain;

  async function damage({ project }: PostgresSessions, location: number | undefined): Promise<void> {
    must(
      await plain.query(
        `update ${schema}.entry set line = set_byte(line, 5, 0) from ${schema}.log
         where log_id = log.id and project = $1 and place = $2`,
        [project, location],
      ),
    );
  }

  /** Everything the database has of a project, as one text. */
  async function everything({ project }: PostgresSessions): Promise<string> {
    const parts: string[] = [];
    for (const sql of [
      `select line as content from ${schema}.entry, ${schema}.log where log_id = log.id and project = $1`,
      `select listing as content from ${schema}.log where project = $1`,
      ...["blob_chunk", "aside"].map((table) => `select content from ${schema}.${table} where project = $1`),
      `select record as content from ${schema}.redaction where project = $1`,
    ])
      for (const row of must(await plain.query<{ content: Buffer }>(sql, [project])).rows)
        parts.push(row.content.toString("latin1"));
    return parts.join("\n");
  }

  it("names projects, forks and tombstones, and says what a session occupies", async () => {
    const sessions = createPostgresSessions({ database: plain });
    await session(sessions, "a");
    must(await must(await sessions.logs.create(sessionDraft("one/b"))).close());
    must(await must(await sessions.logs.create(sessionDraft("one/a"))).close());
    must(await must(await sessions.logs.create(sessionDraft("one-more"))).close());
    must(await sessions.blobs.put("one", Buffer.from("text")));
    must(await sessions.blobs.put("one/a", Buffer.from("more")));
    expect(must(await listProjects(plain))).toContain(sessions.project);
    expect(must(await forksOf(sessions, "one"))).toEqual(["one/a", "one/b"]);
    const { parts, bytes } = must(await sessionFootprint(sessions, "one"));
    expect(parts.map(({ kind }) => kind)).toEqual(["log", "blob", "agent", "agent", "agent"]);
    expect(bytes).toBe(parts.reduce((sum, part) => sum + part.bytes, 0));
    expect(must(await readTombstone(sessions, "one"))).toBeNull();
    must(await sessions.logs.remove("one", "no longer \0 wanted"));
    expect(must(await readTombstone(sessions, "one"))).toEqual({
      session: "one",
      at: "2026-01-01T00:00:00.000Z",
      why: "no longer \0 wanted",
    });
    expect(must(await forksOf(sessions, "one"))).toEqual([]);
    expect(must(await sessionFootprint(sessions, "one"))).toEqual({ parts: [], bytes: 0 });
  });

  it.each([
    ["", plain],
    [", every answer lost once", losingAnswers(plain)],
  ])("repairs a log%s: damage goes aside, what is in force stays", async (_how, database) => {
    const sessions = createPostgresSessions({ database });
    const [, second] = await session(sessions, "a", "b", "c");
    await damage(sessions, second);
    const before = await entriesIn(sessions);
    const report = must(await repairSession(sessions, "one"));
    expect(report).toMatchObject({ entries: 3, corruptLines: 1, rewritten: true });
    expect(report.bytesBefore - report.bytesAfter).toBe(report.corruptBytes + 1);
    expect(await entriesIn(sessions)).toEqual(before);
    expect(must(await sessions.logs.scan("one", nothing))).toMatchObject({
      corruptLines: 0,
      end: report.bytesAfter,
    });
    expect(must(await repairSession(sessions, "one"))).toMatchObject({ corruptLines: 0, rewritten: false });
    const kept = await plain.query(`select 1 from ${schema}.aside where project = $1`, [sessions.project]);
    expect(must(kept).count).toBe(1);
    const writer = must(await sessions.logs.open("one", nothing));
    must(await writer.append([messageDraft("d")]));
    must(await writer.close());
    expect(await textsIn(sessions)).toEqual(["a", "c", "d"]);
  });

  it.each([
    ["", plain],
    [", every answer lost once", losingAnswers(plain)],
  ])("takes a secret out of the log, its blobs and what is kept aside%s", async (_how, database) => {
    const sessions = createPostgresSessions({ database });
    const [, second] = await session(sessions, `say ${secret}`, `damaged ${secret}`, "harmless");
    await damage(sessions, second);
    const { blob } = must(await sessions.blobs.put("one", Buffer.from(`tool says ${secret}`)));
    const other = must(await sessions.blobs.put("one", Buffer.from("harmless"))).blob;
    must(await sessions.blobs.name("one", blob, "toolu_01"));
    const survey = must(await redactSession(sessions, "one", redaction));
    expect(survey).toMatchObject({
      entries: 1,
      occurrences: 1,
      inDamage: true,
      toolResults: [/toolu_01$/].map((end) => expect.stringMatching(end)),
    });
    expect(await everything(sessions)).not.toContain(secret);
    expect(await textsIn(sessions)).toEqual(["say [REDACTED]", "harmless"]);
    const redacted = survey.blobs.get(blob)?.ref.blob ?? "";
    expect(must(await sessions.blobs.list("one"))).toEqual([redacted, other].toSorted());
    must(await sessions.blobs.name("one", redacted, "toolu_01"));
    expect(must(await sessions.logs.list())[0]?.firstPrompt).toBe("say [REDACTED]");
    expect(must(await readRedactions(sessions, "one"))).toMatchObject([
      { entries: 1, blobs: 1, finished: true },
    ]);
    expect((await entriesIn(sessions)).at(-1)).toMatchObject({ kind: "note", note: { topic: "redacted" } });
    expect(isClean(must(await redactSession(sessions, "one", redaction)))).toBe(true);
    must(await must(await sessions.logs.open("one", nothing)).append([messageDraft("on")]));
  });

  it("repairs and redacts nothing that somebody is writing to", async () => {
    const sessions = createPostgresSessions({ database: plain });
    const writer = must(await sessions.logs.create(sessionDraft("one")));
    expect(refused(await repairSession(sessions, "one"))).toBe("held");
    expect(refused(await redactSession(sessions, "one", redaction))).toBe("held");
    must(await writer.append([messageDraft("still mine")]));
    expect(refused(await repairSession(sessions, "two"))).toBe("not-found");
  });

  it("tells who reads a log while it is written anew", async () => {
    const sessions = createPostgresSessions({ database: plain });
    const [first] = await session(sessions, "a", "x".repeat(2_000_000), "b");
    await damage(sessions, first);
    let pages = 0;
    const reading = createPostgresSessions({
      project: sessions.project,
      database: {
        ...plain,
        async query(text, values, options) {
          if (text.includes("place < $3") && ++pages === 2) must(await repairSession(sessions, "one"));
          return plain.query(text, values, options);
        },
      },
    });
    expect(refused(await reading.logs.scan("one", nothing))).toBe("conflict");
    must(await reading.logs.scan("one", nothing));
  });
});
