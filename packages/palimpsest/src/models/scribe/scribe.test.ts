import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { openSession } from "../../loop/open-session.ts";
import { scribe } from "./scribe.ts";

describe("the scribe as a session's model", () => {
  it("refuses to answer, by a typed error, and loses nothing that was said", async () => {
    const home = await temporaryFolder();
    const session = await openSession({ home, cwd: home, model: scribe() });
    const events = [];
    for await (const event of session.run("Is anybody there?")) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: "run-end", reason: "error", error: { code: "no-model" } });
    const { request } = await session.prepare();
    expect(JSON.stringify(request.messages)).toContain("Is anybody there?");
    await session.close();
  });

  it("writes summaries from what the session holds", async () => {
    const home = await temporaryFolder();
    const session = await openSession({
      home,
      cwd: home,
      model: scribe(),
      settings: { sessionNotesEnabled: false },
    });
    for (let round = 0; round < 4; round++) {
      await session.add({
        role: "user",
        content: `Part ${round}: never touch the harbour crane. ${"Words. ".repeat(400)}`,
      });
      await session.add({ role: "assistant", content: `It stays as it is. ${"Done. ".repeat(400)}` });
    }
    expect((await session.compact()).summary).toContain("never touch the harbour crane");
    await session.close();
  });
});
