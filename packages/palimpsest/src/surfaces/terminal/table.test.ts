import { describe, expect, it } from "vitest";
import { createStyle } from "./style.ts";
import { renderTable } from "./table.ts";

const plainStyle = createStyle(false);

describe("renderTable", () => {
  it("fits every line into the width, and cuts the last column first", () => {
    const lines = renderTable({
      columns: [{ header: "ID" }, { header: "SIZE", align: "right" }, { header: "TITLE", isFlexible: true }],
      rows: [
        [{ text: "one" }, { text: "1 B" }, { text: "a title that is far too long for this" }],
        [{ text: "second" }, { text: "12 kB" }, { text: "日本語日本語日本語日本語" }],
      ],
      width: 32,
      paintHeader: plainStyle.dim,
    });
    expect(lines).toEqual([
      "ID       SIZE  TITLE",
      "one       1 B  a title that is…",
      "second  12 kB  日本語日本語日本…",
    ]);
  });

  it("puts cells below each other where they have no room side by side, and breaks no word", () => {
    const lines = renderTable({
      columns: [{ header: "FILE" }, { header: "AGE", align: "right" }, { header: "FROM", isFlexible: true }],
      rows: [
        [
          { text: "compaction.restoredSkillsTokens" },
          { text: "25000" },
          { text: "project file, line 1200 and others" },
        ],
      ],
      width: 40,
      paintHeader: plainStyle.dim,
    });
    expect(lines).toEqual([
      "FILE",
      "  AGE  FROM",
      "compaction.restoredSkillsTokens",
      "  25000  project file, line 1200 and",
      "  others",
    ]);
  });
});
