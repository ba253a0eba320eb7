import { describe, expect, it } from "vitest";
import { createRequestLog, type OpenRequest } from "./request-log.ts";

const bounds = { keepRequests: 5, keepBodies: 3, keepBodyBytes: 1_000 };

const openRequest = (number: number, bodyBytes = 10): OpenRequest => ({
  number,
  ordinal: number,
  endpoint: "messages",
  method: "POST",
  path: "/v1/messages",
  query: {},
  headers: {},
  startedAt: 0,
  body: { number },
  bodyBytes,
  isStream: false,
  violations: [],
  outcome: "pending",
  requestId: `req_${number}`,
  content: [],
  events: 0,
});

describe("createRequestLog", () => {
  it("keeps the newest requests, and bodies of fewer", () => {
    const { requests, add, close } = createRequestLog(bounds);
    for (let number = 1; number <= 8; number += 1) {
      const request = openRequest(number);
      add(request);
      close(request);
    }
    expect([...requests].map(({ number, body }) => [number, body !== undefined])).toEqual([
      [4, false],
      [5, false],
      [6, true],
      [7, true],
      [8, true],
    ]);
    expect(requests.total).toBe(8);
    expect(requests.last?.number).toBe(8);
    expect(requests.get(3)).toBeUndefined();
    expect(requests.where(({ number }) => number % 2 === 0).map(({ number }) => number)).toEqual([4, 6, 8]);
  });

  it("keeps bodies within their bytes, and the newest whatever its size", () => {
    const { requests, add, close } = createRequestLog(bounds);
    for (const [index, bytes] of [400, 400, 400, 5_000].entries()) {
      const request = openRequest(index + 1, bytes);
      add(request);
      close(request);
      const kept = requests.where(({ body }) => body !== undefined).map(({ number }) => number);
      expect(kept).toEqual([[1], [1, 2], [2, 3], [4]][index]);
    }
  });

  it("leaves open requests their bodies, and takes them from closed ones nobody remembers", () => {
    const { add, close } = createRequestLog({ ...bounds, keepRequests: 1 });
    const [first, second] = [openRequest(1), openRequest(2)];
    add(first);
    add(second);
    expect(first.body).toEqual({ number: 1 });
    close(first);
    expect(first.body).toBeUndefined();
    expect(second.body).toEqual({ number: 2 });
  });

  it("forgets everything when it is cleared", () => {
    const { requests, add, close, clear } = createRequestLog(bounds);
    const open = openRequest(1);
    add(open);
    clear();
    expect([requests.total, [...requests]]).toEqual([0, []]);
    const again = openRequest(1);
    add(again);
    close(open);
    expect([open.body, again.body]).toEqual([undefined, { number: 1 }]);
  });
});
