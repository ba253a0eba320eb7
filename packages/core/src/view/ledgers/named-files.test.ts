import { describe, expect, it } from "vitest";
import { answered, called, toEntries } from "../../../../../test/support/ledger-entries.ts";
import type { Message } from "../../spec/index.ts";
import { maxNamedFiles } from "./ledger-parts.ts";
import { createLedgers } from "./ledgers.ts";

function writerOf(...messages: readonly Message[]) {
  const writer = createLedgers();
  for (const entry of toEntries(messages)) writer.add(entry);
  return writer;
}

describe("the files named", () => {
  it("are those of calls and their results, the last named last, each counted once a result", () => {
    const { namedFiles } = writerOf(
      called("t1", "Grep", { pattern: "x", path: "src/a.ts" }),
      answered("t1", "src/a.ts:1 x\nsrc/b.ts:2 x\nsrc/a.ts:9 x"),
      called("t2", "Bash", { command: "cat docs/c.md" }),
      answered("t2", "see ./src/a.ts."),
    ).ledgers();
    expect([...namedFiles]).toEqual([
      ["src/b.ts", { count: 1, newest: 0 }],
      ["docs/c.md", { count: 1, newest: 1 }],
      ["src/a.ts", { count: 2, newest: 1 }],
    ]);
  });

  it("are the newest ones where there are many", () => {
    const text = Array.from({ length: maxNamedFiles + 2 }, (_, at) => `src/part-${at}.ts`).join("\n");
    const { namedFiles } = writerOf(called("t1", "Glob", { pattern: "*" }), answered("t1", text)).ledgers();
    expect(namedFiles.size).toBe(maxNamedFiles);
    expect([...namedFiles.keys()][0]).toBe("src/part-2.ts");
  });

  it("go on from a snapshot, which stays as it was", () => {
    const writer = writerOf(called("t1", "Glob", { pattern: "*" }), answered("t1", "src/a.ts"));
    const snapshot = writer.snapshot();
    const next = createLedgers(snapshot);
    for (const entry of toEntries([called("t2", "Glob", { pattern: "*" }), answered("t2", "src/b.ts")]))
      next.add(entry);
    expect([...next.ledgers().namedFiles]).toEqual([
      ["src/a.ts", { count: 1, newest: 0 }],
      ["src/b.ts", { count: 1, newest: 1 }],
    ]);
    expect([...snapshot.named.files.keys()]).toEqual(["src/a.ts"]);
  });
});
