import { describe, expect, it } from "vitest";
import type { InspectedSession, RequestColumns } from "../inspected.ts";
import { mergeSession, nextOf } from "./merge-session.ts";
import { sampleSession } from "./session-samples.ts";

function rest(whole: InspectedSession, from: InspectedSession["from"]): InspectedSession {
  const requests = Object.fromEntries(
    Object.entries(whole.requests).map(([name, column]) => [name, column.slice(from.request)]),
  ) as unknown as RequestColumns;
  return {
    ...whole,
    from,
    requests,
    items: whole.items.slice(from.item),
    marks: whole.marks.slice(from.mark),
  };
}

describe("mergeSession", () => {
  it("appends what was added, so that the whole is as if read at once", () => {
    const held = sampleSession(4);
    const whole = sampleSession(7, { marks: [{ request: 5, seq: 6, kind: "clear", text: "", freed: 1 }] });
    expect(mergeSession(held, rest(whole, nextOf(held)))).toEqual(whole);
  });

  it("replaces what came again", () => {
    const whole = sampleSession(5);
    expect(mergeSession(sampleSession(5), rest(whole, { request: 3, item: 2, mark: 0 }))).toEqual(whole);
  });

  it("takes a whole session as it is", () => {
    const whole = sampleSession(2, { generation: 9 });
    expect(mergeSession(sampleSession(5), whole)).toBe(whole);
  });

  it("takes nothing that does not follow on what it has", () => {
    const held = sampleSession(3);
    const more = rest(sampleSession(6), { request: 3, item: 3, mark: 0 });
    expect([
      mergeSession(held, { ...more, generation: 2 }),
      mergeSession(held, { ...more, from: { request: 4, item: 3, mark: 0 } }),
      mergeSession(held, { ...more, categories: ["other"] }),
      mergeSession(held, { ...more, id: "other" }),
    ]).toEqual([null, null, null, null]);
  });
});
