import { describe, expect, it } from "vitest";
import { openFolderlessStores } from "../../../../test/support/folderless-stores.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { must, refused } from "../../../testing/src/conformance/outcomes.ts";
import { ok } from "../spec/index.ts";
import { type OpenPostgresStores, openStores, type PostgresStoresOptions } from "./open-stores.ts";

const url = "postgres://me:hunter2@host/db";

describe("the stores that are opened", () => {
  it("are files below the data root where nothing else is said", async () => {
    const home = await temporaryFolder();
    const { kind, address } = must(await openStores({ home, environment: {} }));
    expect({ kind, address }).toEqual({ kind: "files", address: home });
  });

  it("are those of the database that the environment or the caller names", async () => {
    const home = await temporaryFolder();
    const asked: PostgresStoresOptions[] = [];
    const openPostgres: OpenPostgresStores = async (options) => {
      asked.push(options);
      return ok(await openFolderlessStores(home));
    };
    const environment = { DATABASE_URL: url };
    expect(must(await openStores({ home, environment, openPostgres })).kind).toBe("postgres");
    expect(must(await openStores({ home, environment: {}, store: url, openPostgres })).kind).toBe("postgres");
    expect(must(await openStores({ home, environment, store: "files", openPostgres })).kind).toBe("files");
    expect(asked.map((options) => [options.url, Object.keys(options).sort()])).toEqual(
      Array(2).fill([url, ["clock", "ids", "processes", "url", "writer"]]),
    );
  });

  it("are refused where nobody knows the kind", async () => {
    expect(refused(await openStores({ environment: { DATABASE_URL: "mysql://host/db" } }))).toBe(
      "invalid-input",
    );
  });
});
