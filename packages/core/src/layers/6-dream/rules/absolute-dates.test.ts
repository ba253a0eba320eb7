import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { absoluteDates, dayOf } from "./absolute-dates.ts";

/** A Monday. */
const monday = dayOf("2026-01-05T09:30:00.000Z") as number;

describe("absoluteDates", () => {
  it.each([
    ["We decided yesterday to wait.", "We decided on 2026-01-04 to wait."],
    ["Yesterday we decided.", "2026-01-04 we decided."],
    ["- tomorrow: release", "- 2026-01-06: release"],
    ["As of today it holds.", "As of 2026-01-05 it holds."],
    ["Seen the day before yesterday.", "Seen on 2026-01-03."],
    ["Due the day after tomorrow.", "Due on 2026-01-07."],
    ["The freeze begins next Friday.", "The freeze begins on 2026-01-09."],
    ["It broke last Monday.", "It broke on 2025-12-29."],
    ["It ships next Monday.", "It ships on 2026-01-12."],
    ["Freeze until this Thursday.", "Freeze until 2026-01-08."],
    ["next Friday's release", "2026-01-09's release"],
    ["The audit will come in two weeks.", "The audit will come on 2026-01-19."],
    ["We will move in a month.", "We will move in 2026-02."],
    ["Renew it in 1 year.", "Renew it in 2027."],
    ["It was changed 10 days ago.", "It was changed on 2025-12-26."],
    ["Since three weeks ago it fails.", "Since 2025-12-15 it fails."],
    ["Costs went up last month.", "Costs went up in 2025-12."],
    ["Planned for next week.", "Planned for the week of 2026-01-12."],
    ["They left last year, and come back next month.", "They left in 2025, and come back in 2026-02."],
    ["Three days from now it ends.", "2026-01-08 it ends."],
    ["YESTERDAY and Last Month", "2026-01-04 and 2025-12"],
  ])("%s", (text, expected) => {
    expect(absoluteDates(text, monday)).toBe(expected);
  });

  it.each([
    "Run `since yesterday` and read https://example.org/today/yesterday now.",
    "```\nlast week\n```",
    "```\nlast week, never closed",
    "> He said it was due tomorrow.",
    "The word “yesterday” is in the title.",
    "The migration was done in two weeks.",
    "It runs in three days.",
    "Look at the last week of March.",
    "the next month is free, every last Friday too",
    "On Friday we meet.",
    "a few days ago",
    "yesterday-like, mid-today, todays",
    "",
  ])("leaves %j alone", (text) => {
    expect(absoluteDates(text, monday)).toBe(text);
  });

  it.each([
    ["2024-01-31T12:00:00Z", "in a month", "2024-02"],
    ["2026-12-31T12:00:00Z", "tomorrow", "2027-01-01"],
    ["2024-02-28T12:00:00Z", "tomorrow", "2024-02-29"],
    ["2026-01-01T00:00:00Z", "last month", "2025-12"],
    ["2026-01-04T12:00:00Z", "this Monday", "2025-12-29"],
  ])("%s, %s: %s", (at, words, expected) => {
    expect(absoluteDates(words, dayOf(at) as number)).toBe(expected);
  });

  it("takes time in proportion to a hostile text", () => {
    for (const words of ["today ", "in two weeks ", "```", "last  ", "` ", "the day before "]) {
      expect(absoluteDates(words.repeat(5_000), monday).length).toBeGreaterThan(0);
    }
  });

  it("takes the day of the people it is for", () => {
    const at = "2026-01-04T23:30:00.000Z";
    expect([0, 120, -600].map((offset) => absoluteDates("today", dayOf(at, offset) as number))).toEqual([
      "2026-01-04",
      "2026-01-05",
      "2026-01-04",
    ]);
    expect(dayOf("no time")).toBe(undefined);
  });

  it("changes nothing the second time, on whatever day", () => {
    const word = fc.constantFrom(
      ..."yesterday|today|tomorrow|next Friday|last month|this week|in two weeks|3 days ago|we|moved|on|the|`code`|\n|, |. |- |>".split(
        "|",
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.nat(3000), (words, days) => {
        const once = absoluteDates(words.join(" "), monday);
        expect(absoluteDates(once, monday + days * 86_400_000)).toBe(once);
      }),
    );
  });
});
