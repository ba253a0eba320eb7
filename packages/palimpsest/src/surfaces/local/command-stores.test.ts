import { describe, expect, it } from "vitest";
import { openFolderlessStores } from "../../../../../test/support/folderless-stores.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { fail, ok } from "../../../../core/src/spec/index.ts";
import { createCommandStores } from "./command-stores.ts";

const store = "postgres://host/db";

describe("the stores of a command", () => {
  it("are opened once, when they are first asked for, and closed with it", async () => {
    const stores = await openFolderlessStores(await temporaryFolder());
    let openings = 0;
    const opened = createCommandStores({
      store,
      async openPostgres() {
        openings += 1;
        return ok(stores);
      },
    });
    expect(openings).toBe(0);
    await Promise.all([opened.open(), opened.open()]);
    await opened.close();
    expect([openings, stores.closings()]).toEqual([1, 1]);
  });

  it("need not be closed where nobody asked, or where they could not be opened", async () => {
    await createCommandStores({ store }).close();
    const broken = createCommandStores({ store, openPostgres: async () => fail("io", "Nobody listens.") });
    await expect(broken.open()).rejects.toMatchObject({ code: "io" });
    await broken.close();
  });
});
