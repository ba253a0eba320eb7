import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { appendToDailyLog, dailyLogPath, maxDailyLogBytes, readDailyLog } from "./dream-prompt.ts";

const at = "2026-01-05T09:07:31.000Z";

describe("daily log", () => {
  it("lies in a folder of its year and month", () => {
    expect(must(dailyLogPath("2026-01-05T23:30:00-02:00"))).toBe("logs/2026/01/2026-01-06.md");
    expect(refused(dailyLogPath("soon"))).toBe("invalid-input");
  });

  it("begins with its day and grows by lines", () => {
    const first = must(appendToDailyLog(null, { at, text: "Moved to Node 22.", session: "s1" }));
    const second = must(appendToDailyLog(first, { at: "2026-01-05T10:00:00Z", text: "Tests\n\tare green." }));
    expect(second).toBe("# 2026-01-05\n\n- 09:07 [s1] Moved to Node 22.\n- 10:00 Tests are green.\n");
    expect(readDailyLog("logs/2026/01/2026-01-05.md", second)).toEqual([
      { at: "2026-01-05T09:07:00.000Z", text: "Moved to Node 22.", session: "s1" },
      { at: "2026-01-05T10:00:00.000Z", text: "Tests are green." },
    ]);
  });

  it("keeps what people wrote, with or without a line end", () => {
    expect(must(appendToDailyLog("by hand", { at, text: "a" }))).toBe("by hand\n- 09:07 a\n");
    expect(must(appendToDailyLog("", { at, text: "a" }))).toBe("- 09:07 a\n");
    expect(readDailyLog("2026-01-05.md", "by hand\n- 9:07 a\n- 09:07 \n")).toEqual([]);
    expect(readDailyLog("elsewhere.md", "- 09:07 a\n")).toEqual([]);
  });

  it("refuses nothing, no time, and more than it may have", () => {
    expect(refused(appendToDailyLog(null, { at, text: " \n " }))).toBe("invalid-input");
    expect(refused(appendToDailyLog(null, { at: "", text: "a" }))).toBe("invalid-input");
    expect(refused(appendToDailyLog("é".repeat(maxDailyLogBytes / 2), { at, text: "a" }))).toBe("too-large");
  });

  it("gives back any text as one line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (text, session) => {
        const written = appendToDailyLog(null, { at, text, session });
        if (!written.ok) {
          expect(written.error.code).toBe("invalid-input");
          return;
        }
        const [entry, ...others] = readDailyLog("2026-01-05.md", written.value);
        expect([others.length, written.value.split("\n").length]).toEqual([0, 4]);
        const words = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
        expect(`${entry?.session ?? ""}|${entry?.text}`.endsWith(words)).toBe(true);
      }),
    );
  });
});
