import { expect, it } from "vitest";
import { losingAnswers } from "../../../../../test/support/postgres/lose-answers.ts";
import { describeOnPostgres, openTestDatabase } from "../../../../../test/support/postgres/use-postgres.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createPostgresNotesCopies } from "./notes-copies.ts";

describeOnPostgres("notes copies on Postgres", async () => {
  const database = await openTestDatabase();

  it("keep the newest text of each session, with an address", async () => {
    const copies = createPostgresNotesCopies({ database: losingAnswers(database), project: "p-1" });
    const other = createPostgresNotesCopies({ database, project: "p-2" });
    const address = must(await copies.write("ses_a", "old"));
    expect(address).toBe(`${database.address}#p-1/notes/ses_a`);
    must(await copies.write("ses_a", "# New\0 '; --"));
    must(await copies.write("ses_a/fork_1", "é".repeat(500_000)));
    expect(must(await copies.read("ses_a"))).toBe("# New\0 '; --");
    expect(must(await copies.read("ses_a/fork_1")).length).toBe(500_000);
    expect(refused(await other.read("ses_a"))).toBe("not-found");
  });

  it("refuse what is no session", async () => {
    const copies = createPostgresNotesCopies({ database, project: "p-1" });
    for (const odd of ["", "../a", "a/b/c", "a\0"]) {
      expect(refused(await copies.write(odd, "x"))).toBe("invalid-input");
      expect(refused(await copies.read(odd))).toBe("invalid-input");
    }
  });
});
