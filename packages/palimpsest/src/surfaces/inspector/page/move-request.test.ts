import { describe, expect, it } from "vitest";
import type { Action } from "./page-location.ts";
import { moveRequest } from "./row-window.ts";

const all = Array.from({ length: 100 }, (_, request) => request);
const move = (action: Action, request: number, found = all) => moveRequest(action, request, found, [10, 50]);

describe("moveRequest", () => {
  it("goes step by step, by pages and to the ends", () => {
    expect([
      move("next", 5),
      move("previous", 5),
      move("nextPage", 5),
      move("previousPage", 5),
      move("first", 5),
      move("last", 5),
    ]).toEqual([6, 4, 25, 0, 0, 99]);
  });

  it("stays at the ends", () => {
    expect([move("next", 99), move("previous", 0)]).toEqual([99, 0]);
  });

  it("stops at marks", () => {
    expect([move("nextMark", 10), move("previousMark", 10), move("previousMark", 99)]).toEqual([50, 10, 50]);
  });

  it("goes among those that a filter leaves, from wherever it is", () => {
    const found = [3, 7, 40];
    expect([move("next", 3, found), move("next", 5, found), move("previous", 5, found)]).toEqual([7, 7, 3]);
    expect([move("next", 90, found), move("previous", 90, found), move("next", 5, [])]).toEqual([40, 40, 5]);
  });

  it("leaves other actions to others", () => {
    expect(move("help", 5)).toBe(undefined);
  });
});
