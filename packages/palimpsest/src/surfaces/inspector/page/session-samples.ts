import type { InspectedItem, InspectedSession } from "../inspected.ts";

/** A session of so many requests for tests: each adds one item of ten tokens. */
export function sampleSession(count: number, more: Partial<InspectedSession> = {}): InspectedSession {
  const each = <Value>(value: (request: number) => Value) =>
    Array.from({ length: count }, (_, at) => value(at));
  return {
    id: "s",
    title: "Mend the build",
    project: "/work",
    model: "model-1",
    startedAt: "2026-01-01T00:00:00.000Z",
    changedAt: "2026-01-01T01:00:00.000Z",
    isLive: false,
    generation: 1,
    from: { request: 0, item: 0, mark: 0 },
    window: null,
    categories: ["humanMessages", "toolResults"],
    requests: {
      at: each((request) => request * 1000),
      seq: each((request) => request + 1),
      turn: each(() => 1),
      tokens: each((request) => 10 * (request + 1)),
      byCategory: each((request) => [10 * (request + 1), 0]),
      cacheRead: each((request) => 10 * request),
      cacheWrite: each(() => 10),
      uncached: each(() => 0),
      output: each(() => 5),
      dollars: each(() => 0.5),
      breaks: each(() => null),
      views: each((request) => ({ keep: request, add: [request] })),
    },
    items: each((request) => sampleItem({ origin: `${request + 1}.0`, seq: request + 1 })),
    marks: [],
    damage: [],
    ...more,
  };
}

/** An item for tests: what matters is said, the rest is plain. */
export function sampleItem(item: Partial<InspectedItem> = {}): InspectedItem {
  return {
    origin: "1.0",
    seq: 1,
    role: "user",
    kind: "text",
    category: 0,
    tokens: 10,
    state: "whole",
    title: "Read the plan",
    hasOriginal: false,
    ...item,
  };
}
