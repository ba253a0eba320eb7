import type { InspectedItem } from "../inspected.ts";

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
