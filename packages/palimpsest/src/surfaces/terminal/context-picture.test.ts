import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { viewOf } from "../../../../../test/support/accounting-items.ts";
import { answered, called, said } from "../../../../../test/support/ledger-entries.ts";
import { account } from "../../../../core/src/view/accounting/account.ts";
import { type Accounting, categories } from "../../../../core/src/view/accounting/accounting.ts";
import { contextPicture } from "./context-picture.ts";

const { items, input } = viewOf(
  [
    said("x".repeat(9_000)),
    { type: "assistant", content: "x".repeat(4_321) },
    called("t1", "Read", { file_path: "/home/ada/project/src/main.ts" }),
    answered("t1", "x".repeat(30_000)),
    called("t2", "Read", { file_path: "/home/ada/project/src/main.ts" }),
    answered("t2", "x".repeat(20_000)),
    called("t3", "Bash", { command: "ls" }),
    answered("t3", "x".repeat(400)),
    { type: "attachment", subtype: "file", content: "x".repeat(2_000) },
  ],
  {
    thresholds: { window: 200_000, base: 167_000 },
    system: [{ type: "text", text: "x".repeat(3_000) }],
    memoryFiles: [{ path: "/home/ada/project/CLAUDE.md", text: "x".repeat(1_500) }],
    tools: [{ name: "Cron", input_schema: {} }],
    deferredTools: new Set(["Cron"]),
  },
);
const accounting = account(items, input);
const empty = account([], { ...input, system: [], memoryFiles: [], tools: [] });

function picture(columns?: number): readonly string[] {
  return contextPicture(accounting, { style: "plain", ...(columns !== undefined && { columns }) });
}

describe("contextPicture", () => {
  it("calls what stands for the past a summary", () => {
    const past = viewOf([{ ...said("x".repeat(5_000)), isCompactSummary: true }, said("x".repeat(900))], {
      thresholds: { window: 200_000, base: 167_000 },
    });
    const lines = contextPicture(account(past.items, past.input), { style: "plain" });
    expect(lines.flatMap((line) => line.match(/[YH] (\w+(?: \w+)?) {2,}[\d,]+/)?.[1] ?? [])).toEqual([
      "Summary",
      "Human messages",
    ]);
  });

  it("fits 80 columns, with the legend beside the grid", () => {
    expect(picture()).toEqual([
      "70,290 of 200,000 tokens (35%)",
      "",
      "S S S F H H H H H H H H H A A A A Q R R   S System prompt             3,000   2%",
      "R R R R R R R R R R R R R R R R R R R R   F Memory files              1,500   1%",
      "R R R R R R R R R R R R R R R R R R R R   H Human messages            9,000   5%",
      "R R R R R R R R @ @ . . . . . . . . . .   A Assistant messages        4,321   2%",
      ". . . . . . . . . . . . . . . . . . . .   Q Tool requests                30  <1%",
      ". . . . . . . . . . . . . . . . . . . .   R Tool results             50,400  25%",
      ". . . . . . . . . . . . . . . . . . . .   @ Attachments               2,039   1%",
      ". . . . . . . . . . . . . . . . . . . .   . Free space               96,710  48%",
      ". . . . . . . # # # # # # # # # # # # #   # Reserved buffer          33,000  17%",
      "# # # # # # # # # # # # # # # # # # # #",
      "",
      "Tools                                                         requests   results",
      "  Read                                                              20    50,000",
      "  Bash                                                              10       400",
      "",
      "Attachments                                                      count    tokens",
      "  file                                                               1     2,039",
      "",
      "Memory files                                                              tokens",
      "  /home/ada/project/CLAUDE.md                                              1,500",
      "",
      "Read more than once                                              times   to save",
      "  /home/ada/project/src/main.ts                                      2    25,000",
      "",
      "Deferred tools, not loaded: 1 (33 tokens)",
    ]);
  });

  it("has the legend under the grid where there is less room", () => {
    expect(picture(40)).toEqual([
      "70,290 of 200,000 tokens (35%)",
      "",
      "S S F H H H H A A Q",
      "R R R R R R R R R R",
      "R R R R R R R R R R",
      "R R R R R @ . . . .",
      ". . . . . . . . . .",
      ". . . . . . . . . .",
      ". . . . . . . . . .",
      ". . . . . . . . . .",
      ". . . . # # # # # #",
      "# # # # # # # # # #",
      "",
      "S System prompt             3,000   2%",
      "F Memory files              1,500   1%",
      "H Human messages            9,000   5%",
      "A Assistant messages        4,321   2%",
      "Q Tool requests                30  <1%",
      "R Tool results             50,400  25%",
      "@ Attachments               2,039   1%",
      ". Free space               96,710  48%",
      "# Reserved buffer          33,000  17%",
      "",
      "Tools                 requests   results",
      "  Read                      20    50,000",
      "  Bash                      10       400",
      "",
      "Attachments              count    tokens",
      "  file                       1     2,039",
      "",
      "Memory files                      tokens",
      "  /home/ada/project/CLAUDE.md      1,500",
      "",
      "Read more than once      times   to save",
      "  …oject/src/main.ts         2    25,000",
      "",
      "Deferred tools, not loaded: 1 (33 token…",
    ]);
  });

  it("shows the same cells in colour", () => {
    const letters: Readonly<Record<string, string>> = {
      "245■": "S",
      "172■": "F",
      "46■": "H",
      "141■": "A",
      "204■": "Q",
      "160■": "R",
      "80■": "@",
      "240□": ".",
      "240▨": "#",
    };
    const coloured = contextPicture(accounting, { style: "colour" });
    expect(coloured[2]?.startsWith("\u001b[38;5;245m■\u001b[39m \u001b[38;5;245m■")).toBe(true);
    const asLetters = coloured.map((line) =>
      line.replaceAll(
        /\p{Cc}\[38;5;(\d+)m(.)\p{Cc}\[39m/gu,
        (_all, colour, cell) => letters[colour + cell] ?? "?",
      ),
    );
    expect(asLetters).toEqual(picture());
  });

  it("says by how much the window is exceeded", () => {
    const full = account(items, { ...input, thresholds: { window: 70_000, base: 60_000 } });
    const lines = contextPicture(full, { style: "plain" });
    expect(lines.slice(0, 2)).toEqual(["70,290 of 70,000 tokens (100%)", "290 over the window"]);
    expect(lines.join("\n")).not.toMatch(/Free|Reserved|\. \.|# #/);
  });

  it("shows an empty window", () => {
    const bare = { estimate: input.estimate, messageOf: input.messageOf };
    const empty = account([], { ...bare, thresholds: { window: 1_000, base: 1_000 } });
    const row = Array<string>(20).fill(".").join(" ");
    expect(contextPicture(empty, { style: "plain" })).toEqual([
      "0 of 1,000 tokens (0%)",
      "",
      `${row}   . Free space                1,000 100%`,
      ...Array<string>(9).fill(row),
    ]);
    const none = account([], { ...bare, thresholds: { window: 0, base: 0 } });
    expect(contextPicture(none, { style: "plain" })).toEqual([
      "0 of 0 tokens",
      "",
      ...Array<string>(10).fill(row),
    ]);
  });

  it("gives every category a letter and a colour of its own, and shows five of a list", () => {
    const looks = Object.fromEntries(categories.map((category) => [category, { tokens: 1 }]));
    const tools = ["a", "b", "c", "d", "e", "f", "g"].map((name) => ({ name, count: 1, tokens: 1 }));
    const varied = { ...empty, categories: looks as Accounting["categories"], requestsByTool: tools };
    for (const style of ["plain", "colour"] as const) {
      const lines = contextPicture(varied, { style, columns: 79 });
      const cells = lines.slice(13, 13 + categories.length).map((line) => line.split(" ")[0]);
      expect(new Set(cells).size).toBe(categories.length);
    }
    const lines = contextPicture(varied, { style: "plain" });
    expect(lines.slice(-2)).toEqual([`  e${"1".padStart(67)}${"0".padStart(10)}`, "  and 2 more"]);
  });

  it("is never wider than asked, nor moved by what names contain", () => {
    const name = "\u001b[2J\r\n\u202e\u2028名前\ud800/x".repeat(9);
    const hostile: Accounting = {
      ...accounting,
      resultsByTool: [{ name, count: 1, tokens: 1 }],
      duplicateReads: [{ path: name, count: 2, tokens: 1 }],
      failures: [{ metric: "estimate", message: name, count: 1 }],
    };
    for (const columns of [30, 39, 79, 80, 200]) {
      const lines = contextPicture(hostile, { style: "plain", columns });
      expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([]);
      expect(lines.filter((line) => /\p{C}|\p{Zl}/u.test(line))).toEqual([]);
    }
  });
});
