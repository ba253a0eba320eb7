import { describe, expect, it } from "vitest";
import { createStyle } from "../../terminal/style.ts";
import type { TranscriptItem } from "../state/pager.ts";
import { pagerLines } from "./editor-lines.ts";

const look = { columns: 40, style: createStyle(false), isPlain: false, cwd: "/w" };
const size = { columns: 40, rows: 10 };
const long = "words that go on and on, and do not end before the line does";

const item = (more: Partial<TranscriptItem> = {}): TranscriptItem => ({
  id: "1",
  kind: "result",
  title: long,
  text: long,
  ...more,
});

describe("a line of the transcript", () => {
  it("keeps its mark where its text is too long", () => {
    const items = [
      item({ hiddenBy: "cleared" }),
      item({ title: "日本語".repeat(20), hiddenBy: "folded" }),
      item(),
    ];
    const [, , ...lines] = pagerLines({ items, chosen: 0, opened: null }, look, size);
    expect(lines.slice(0, 3)).toEqual([
      "❯ │ words that go on and on,…  [cleared]",
      "  │ 日本語日本語日本語日本語…  [folded]",
      "  │ words that go on and on, and do not…",
    ]);
  });
});
