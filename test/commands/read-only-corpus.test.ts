import { describe, expect, it } from "vitest";
import { isReadOnlyCommand } from "../../packages/palimpsest/src/tools/shell/index.ts";
import { readCorpus } from "./read-corpus.ts";

const readOnly = readCorpus("read-only");
const mayChange = readCorpus("may-change");

describe("the corpus of command lines", () => {
  it("has each of its more than 220 lines once", () => {
    const all = [...readOnly, ...mayChange];
    expect(all.length).toBeGreaterThan(220);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(readOnly)("is read-only: %s", (command) => {
    expect(isReadOnlyCommand(command)).toBe(true);
  });

  it.each(mayChange)("is asked about: %s", (command) => {
    expect(isReadOnlyCommand(command)).toBe(false);
  });
});
