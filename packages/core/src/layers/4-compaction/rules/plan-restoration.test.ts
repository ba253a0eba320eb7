import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addRound, createTestLog, said } from "../../../../../../test/layers/compaction-support.ts";
import type { FileRecord, Message, TodoRecord } from "../../../spec/index.ts";
import { createMeasure } from "../../../view/tokens/measure.ts";
import { chooseFiles } from "../finish-boundary.ts";
import { compactionNumbers } from "../settings.ts";
import {
  messageTokens,
  nothingRestorable,
  planRestoration,
  type RestorationInput,
} from "./plan-restoration.ts";

const measure = createMeasure();
const plan = (more: Partial<RestorationInput> = {}) =>
  planRestoration({
    files: [],
    todos: [],
    plan: undefined,
    others: nothingRestorable,
    maxTokens: 100_000,
    numbers: compactionNumbers,
    measure,
    ...more,
  });
const textOf = (tokens: number) => "x".repeat(tokens * 3);
const typesOf = (attachments: readonly Message[]) => attachments.map(({ subtype }) => subtype);
const todo: TodoRecord = { content: "test it", status: "in_progress" };

describe("chooseFiles", () => {
  it("takes the five last touched, newest first, but for excluded, kept and planned ones", () => {
    const log = createTestLog();
    log.say(said("go"));
    for (const name of ["a", "b", "plan", "c", "d", "e", "f", "secret", "kept"]) addRound(log, name, 10);
    const { ledgers } = log.view();
    const kept = { head: "e18", headSeq: 18, tail: "e19", tailSeq: 19, anchor: "summary" } as const;
    const chosen = chooseFiles({
      ledgers: { ...ledgers, plan: { text: "", path: "/plan" } },
      kept,
      isExcluded: (path) => path === "/secret",
      maxFiles: 5,
    });
    expect(chosen).toEqual(["/f", "/e", "/d", "/c", "/b"]);
  });

  it("takes what was changed before what was only read in a former turn", () => {
    const log = createTestLog();
    log.say(said("go"));
    for (const name of ["a", "b", "c"]) addRound(log, name, 10);
    log.say(said("go on"));
    const { ledgers } = log.view();
    const [a] = [...ledgers.files.values()];
    const files = new Map(ledgers.files).set("/a", { ...a, path: "/a", editedSeq: 3 } as FileRecord);
    const chosen = chooseFiles({ ledgers: { ...ledgers, files }, isExcluded: () => false, maxFiles: 2 });
    expect(chosen).toEqual(["/a", "/c"]);
  });
});

describe("planRestoration", () => {
  it("brings everything back in its order", () => {
    const { attachments, skipped } = plan({
      files: [{ path: "/a", text: "code" }],
      todos: [todo],
      plan: { text: "1. do", path: "/plan.md" },
      others: {
        tasks: [{ subtype: "task", text: "runs" }],
        skills: [{ subtype: "skill", text: "how" }],
        tools: [{ subtype: "tools", text: "late" }],
        rules: [{ subtype: "rules", text: "never" }],
      },
    });
    expect(typesOf(attachments)).toEqual(["file", "task", "todos", "plan", "skill", "tools", "rules"]);
    expect(attachments.map(({ content }) => content).slice(2, 4)).toEqual([
      "The to-do list ([ ] open, [>] in progress, [x] done, [-] cancelled):\n[>] test it",
      "The plan, in /plan.md:\n1. do",
    ]);
    expect(skipped).toEqual([]);
  });

  it("has no to-dos where there are none", () => {
    expect(plan().attachments).toEqual([]);
  });

  it("cuts a file, and has no stamp for what was cut", () => {
    const files = [{ path: "/a", sha256: "0", bytes: 1, modifiedMs: 1, toolUseId: "" }];
    const cut = plan({ files: [{ path: "/a", text: textOf(9_000), files }] });
    expect(cut.restored).toMatchObject([{ path: "/a", isCut: true }]);
    expect(cut.attachments[0]?.files).toBe(undefined);
    expect(cut.attachments[0]?.content).toMatch(/characters left out …\]$/);
    expect(cut.tokens).toBeLessThanOrEqual(5_000);
    expect(plan({ files: [{ path: "/a", text: "whole", files }] }).attachments[0]?.files).toEqual(files);
  });

  it("skips a file that is over the total and goes on with the next", () => {
    const numbers = { ...compactionNumbers, restoredFilesTokens: 6_000 };
    const files = [
      { path: "/a", text: textOf(4_000) },
      { path: "/b", text: textOf(4_000) },
      { path: "/gone", skipped: "not found" },
      { path: "/c", text: textOf(500) },
    ];
    const { restored, skipped } = plan({ numbers, files });
    expect(restored.map(({ path }) => path)).toEqual(["/a", "/c"]);
    expect(skipped.map(({ path }) => path)).toEqual(["/b", "/gone"]);
  });

  it("gives room to what cannot be read again before files", () => {
    const { attachments } = plan({
      maxTokens: 500,
      files: [{ path: "/a", text: textOf(490) }],
      todos: [todo],
      others: { ...nothingRestorable, rules: [{ subtype: "rules", text: "never push" }] },
    });
    expect(typesOf(attachments)).toEqual(["todos", "rules"]);
  });

  it("is within its tokens, whatever there is to bring back", () => {
    const notices = fc.array(
      fc.record({ subtype: fc.constant("n"), text: fc.string({ maxLength: 3_000 }) }),
      {
        maxLength: 4,
      },
    );
    const files = fc.array(fc.record({ path: fc.constant("/a"), text: fc.string({ maxLength: 30_000 }) }), {
      maxLength: 5,
    });
    const others = fc.record({ tasks: notices, skills: notices, tools: notices, rules: notices });
    fc.assert(
      fc.property(files, others, fc.nat(8_000), (read, more, maxTokens) => {
        const { attachments, tokens } = plan({ files: read, others: more, maxTokens, todos: [todo] });
        const sum = attachments.reduce((all, message) => all + messageTokens(message, measure), 0);
        expect(sum).toBe(tokens);
        expect(tokens).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });
});
