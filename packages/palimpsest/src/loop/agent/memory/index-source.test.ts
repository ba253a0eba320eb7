import { describe, expect, it } from "vitest";
import { buildIndex } from "../../../../../core/src/memory/build-index.ts";
import { createIndexSource } from "./index-source.ts";

/** The notice for a session without the index in view. */
async function toldOf(index: string) {
  const folder = {
    index: async () => index,
    loadIndex: async () => ({ text: index, leftOut: 0 }),
    list: async () => [],
  };
  const source = createIndexSource({ folder, told: () => [] });
  return source.take({ kind: "turn-start" } as Parameters<typeof source.take>[0]);
}

describe("the index at the beginning of a session", () => {
  it("is not told where it has nothing but its marker", async () => {
    expect(await toldOf(buildIndex([], []))).toEqual([]);
    expect(await toldOf("")).toEqual([]);
  });

  it("is told where the user has written lines of their own", async () => {
    expect(await toldOf(buildIndex(["Mine alone."], []))).toMatchObject([
      { text: expect.stringContaining("Mine alone.") },
    ]);
  });
});
