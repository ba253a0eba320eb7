import { expect, it } from "vitest";
import { losingAnswers } from "../../../../../test/support/postgres/lose-answers.ts";
import { createPostgresSessions } from "../../../../../test/support/postgres/postgres-sessions.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
} from "../../../../../test/support/postgres/use-postgres.ts";
import { blobStoreConformance } from "../../../../testing/src/conformance/blob-store.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { blobChunkBytes } from "./blob-store.ts";

describeOnPostgres("Postgres blob store", async () => {
  const database = await openTestDatabase();
  const beside = await openBeside(database);
  const { schema } = database;
  const create = async () => {
    const one = createPostgresSessions({ database });
    const other = createPostgresSessions({ database: beside, project: one.project });
    return { first: one.blobs, second: other.blobs };
  };
  for (const { name, run } of blobStoreConformance(create)) it(name, run);

  const pattern = (bytes: number) =>
    Buffer.from(Uint8Array.from({ length: bytes }, (_, at) => (at * 7) % 251));

  it.each([
    ["one chunk", blobChunkBytes],
    ["a byte more", blobChunkBytes + 1],
    ["more chunks than are asked for at a time", 17 * blobChunkBytes],
  ])("keeps a blob of %s", async (_what, bytes) => {
    const { blobs } = createPostgresSessions({ database });
    const content = pattern(bytes);
    const { blob } = must(await blobs.put("one", content));
    expect(content.equals(must(await blobs.get("one", blob)))).toBe(true);
  });

  it.each([
    ["changed", "update SCHEMA.blob_chunk set content = 'other' where project = $1"],
    ["lost in part", "delete from SCHEMA.blob_chunk where project = $1 and number = 1"],
  ])("says that bytes were %s, and is mended by putting them again", async (_what, damage) => {
    const { blobs, project } = createPostgresSessions({ database });
    const content = pattern(blobChunkBytes + 5);
    const { blob } = must(await blobs.put("one", content));
    must(await database.query(damage.replace("SCHEMA", schema), [project]));
    expect(refused(await blobs.get("one", blob))).toBe("corrupt");
    must(await blobs.put("one", content));
    expect(content.equals(must(await blobs.get("one", blob)))).toBe(true);
  });

  it("shows nothing of a put that was cut off halfway", async () => {
    let statements = 0;
    const { blobs } = createPostgresSessions({
      database: {
        ...database,
        transaction: (work, options) =>
          database.transaction(
            (run) =>
              work((text, values) => {
                statements += 1;
                return run(statements === 2 ? "select 1/0" : text, statements === 2 ? [] : values);
              }),
            options,
          ),
      },
    });
    const content = pattern(2 * blobChunkBytes);
    expect(refused(await blobs.put("one", content))).toBe("io");
    expect(must(await blobs.list("one"))).toEqual([]);
    const { blob } = must(await blobs.put("one", content));
    expect(must(await blobs.list("one"))).toEqual([blob]);
  });
});

describeOnPostgres("Postgres blob store, every answer lost once", async () => {
  const database = losingAnswers(await openTestDatabase());
  const create = async () => {
    const one = createPostgresSessions({ database });
    return { first: one.blobs, second: createPostgresSessions({ database, project: one.project }).blobs };
  };
  for (const { name, run } of blobStoreConformance(create)) it(name, run);
});
