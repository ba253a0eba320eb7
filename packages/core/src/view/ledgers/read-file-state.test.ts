import { describe, expect, it } from "vitest";
import { answered, called, toEntries } from "../../../../../test/support/ledger-entries.ts";
import { createLedgers } from "./ledgers.ts";
import { readFileState } from "./tool-call.ts";

const writer = createLedgers();
const calls = [
  called("t1", "Read", { file_path: "/read", offset: 5, limit: 2 }),
  called("t2", "Write", { file_path: "/written" }),
  called("t3", "Edit", { file_path: "/edited" }),
  called("t4", "Edit", { file_path: "/read" }),
  called("t5", "Edit", { file_path: "/written" }),
  called("t6", "Read", { file_path: "/late" }),
];
const entries = calls.flatMap((call, index) => [call, answered(`t${index + 1}`)]);
for (const entry of toEntries(entries)) writer.add(entry);
const { files } = writer.ledgers();
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

describe("readFileState", () => {
  it("has the files that were read or written whole, as of the last action on them", () => {
    expect(readFileState(files)).toEqual(
      new Map([
        ["/read", { seq: 8, at: at(8), toolUseId: "t4", range: { offset: 5, limit: 2 } }],
        ["/written", { seq: 10, at: at(10), toolUseId: "t5" }],
        ["/late", { seq: 12, at: at(12), toolUseId: "t6" }],
      ]),
    );
  });

  it("leaves out what was last read or written before a boundary, edited since or not", () => {
    expect([...readFileState(files, 3).keys()]).toEqual(["/written", "/late"]);
    expect([...readFileState(files, 4).keys()]).toEqual(["/late"]);
    expect(readFileState(files, 12)).toEqual(new Map());
  });
});
