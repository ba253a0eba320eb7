import { describe, expect, it } from "vitest";
import type { SessionMark } from "../inspected.ts";
import { findRequests, marksByRequest } from "./row-window.ts";
import { sampleSession } from "./session-samples.ts";

const mark = (request: number, text: string): SessionMark => ({
  request,
  seq: 1,
  kind: "clear",
  text,
  freed: 0,
});

describe("findRequests", () => {
  const session = sampleSession(30);
  const breaks = session.requests.breaks.map((_, request) =>
    request === 7 ? { kind: "cold" as const, reason: "Two hours passed", tokens: 9 } : null,
  );
  const broken = { ...session, requests: { ...session.requests, breaks } };
  const marks = marksByRequest([mark(3, "Three results of Read"), mark(3, "again"), mark(9, "Grep")]);

  it("has all where nothing is asked", () => {
    expect(findRequests(broken, marks, "  ")).toHaveLength(30);
  });

  it("finds by number, break and mark, with every word", () => {
    const find = (filter: string) => findRequests(broken, marks, filter);
    expect([
      find("#12"),
      find("BREAK"),
      find("clear"),
      find("clear read"),
      find("hours cold"),
      find("x"),
    ]).toEqual([[11], [7], [3, 9], [3], [7], []]);
  });
});
