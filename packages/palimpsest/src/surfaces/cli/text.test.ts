import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { nastyText } from "../../../../../test/support/entries.ts";
import { escapeTerminal, toJson } from "./escape-terminal.ts";
import { formatAge, formatBytes, formatDuration, formatNumber } from "./format-amount.ts";
import { parseCount, parseDuration, parseSize } from "./parse-amount.ts";
import { createStyle, isColourWanted } from "./style.ts";
import { cutText, padText, renderTable } from "./table.ts";

const plainStyle = createStyle(false);

describe("escapeTerminal", () => {
  it("shows controls, direction changes and invisible marks instead of sending them", () => {
    expect(escapeTerminal("a\u001b[31mb\u0007\u009b1m\u007f")).toBe("a␛[31mb␇\\x9b1m␡");
    expect(escapeTerminal("safe\u202egpj.exe\u2066 \u{e0041}")).toBe("safe\\u202egpj.exe\\u2066 \\u{e0041}");
    expect(escapeTerminal("two\nlines\tand\r\nmore")).toBe("two lines and more");
    expect(escapeTerminal("half \ud800 a pair")).toBe("half \\ud800 a pair");
  });

  it("leaves what people write: scripts, emoji, joiners", () => {
    for (const text of ["日本語", "नमस्ते", "می‌خواهم", "👩‍👩‍👧", "naïve café"])
      expect(escapeTerminal(text)).toBe(text);
  });

  it("never lets a control through", () => {
    fc.assert(fc.property(nastyText, (text) => !/[\p{Cc}\u202e\u2028]/u.test(escapeTerminal(text))));
  });
});

describe("toJson", () => {
  it("is the same value, and nothing in it can move a cursor", () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const json = toJson({ text });
        expect(JSON.parse(json)).toEqual({ text });
        expect(json.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
      }),
    );
  });
});

describe("cutText", () => {
  it("counts wide characters as two columns and never cuts one in half", () => {
    expect(cutText("日本語テキスト", 8)).toBe("日本語…");
    expect(cutText("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 5)).toBe("👩‍👩‍👧👩‍👩‍👧…");
    expect(cutText("plain text", 7)).toBe("plain…");
    expect(cutText("fits", 4)).toBe("fits");
    expect(padText("日本", 6, "right")).toBe("  日本");
  });

  it("never gives more columns than asked for", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 }), (text, columns) => {
        expect(stringWidth(cutText(escapeTerminal(text), columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

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
});

describe("amounts and times", () => {
  it("are short and say their unit", () => {
    expect([0, 999, 1000, 1_250_000, 99_600_000, 5e9].map(formatBytes)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "1.3 MB",
      "100 MB",
      "5.0 GB",
    ]);
    expect([formatNumber(1, "entry", "entries"), formatNumber(1234, "line")]).toEqual([
      "1 entry",
      "1,234 lines",
    ]);
    expect([-5, 59_000, 61_000, 7_200_000, 40 * 86_400_000].map(formatAge)).toEqual([
      "now",
      "now",
      "1 min ago",
      "2 h ago",
      "1 mo ago",
    ]);
    expect([0, 65_000, 9_480_000, 3 * 86_400_000].map(formatDuration)).toEqual([
      "0 s",
      "1 min",
      "2 h 38 min",
      "3 d",
    ]);
  });

  it("are read as people write them", () => {
    expect([parseDuration("30d"), parseDuration("12 H"), parseDuration("1.5h")]).toEqual([
      2_592_000_000, 43_200_000, 5_400_000,
    ]);
    expect([parseSize("5GB"), parseSize("1.5 MiB"), parseSize("10b")]).toEqual([5e9, 1_572_864, 10]);
    for (const wrong of ["", "30", "d", "30 fortnights", "-3d"]) expect(() => parseDuration(wrong)).toThrow();
    for (const wrong of ["", "5", "GB", "5XB", "-1GB"]) expect(() => parseSize(wrong)).toThrow();
    for (const wrong of ["", "0", "-1", "1.5", "many"]) expect(() => parseCount(wrong)).toThrow();
  });
});

describe("isColourWanted", () => {
  it("needs a terminal or FORCE_COLOR, and never overrides NO_COLOR", () => {
    expect(isColourWanted(true, {})).toBe(true);
    expect(isColourWanted(false, {})).toBe(false);
    expect(isColourWanted(true, { NO_COLOR: "1" })).toBe(false);
    expect(isColourWanted(true, { NO_COLOR: "" })).toBe(true);
    expect(isColourWanted(false, { FORCE_COLOR: "1" })).toBe(true);
    expect(isColourWanted(false, { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
    expect(isColourWanted(true, { FORCE_COLOR: "0" })).toBe(false);
    expect(isColourWanted(true, { TERM: "dumb" })).toBe(false);
  });
});
