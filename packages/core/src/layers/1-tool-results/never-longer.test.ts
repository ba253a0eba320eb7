import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addRound,
  beginToolSession,
  numberedLines,
  seenResults,
  sentResults,
} from "../../../../../test/support/tool-rounds.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { type BlobStore, type LayerIo, ok, type ViewItem } from "../../spec/index.ts";
import { applyToolResults } from "./apply.ts";

describe("a preview", () => {
  it("of a result is shorter than it, whatever the limit is and whether or not the disk takes it", async () => {
    const given = fc.record({
      limit: fc.integer({ min: 1, max: 1_500 }),
      lines: fc.integer({ min: 1, max: 200 }),
      tool: fc.constantFrom("Bash", "Read"),
      isFull: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ limit, lines, tool, isFull }) => {
        const disk = createVirtualDisk();
        const settings = { flags: { "tool-result-limits": { [tool]: limit } } };
        const content = numberedLines(lines);
        const { session } = await beginToolSession({ settings }, disk);
        disk.failWhen(({ name, path }) => isFull && name === "append" && path.includes("/blobs/"), "io");
        await addRound(session, [{ id: "t1", tool, content }]);
        const { t1 } = sentResults((await session.prepare()).request);
        if (t1 !== content) expect(String(t1).length).toBeLessThan(content.length);
      }),
      { numRuns: 60 },
    );
  });

  it("is made where it is shorter, and else the result stays and no event tells of it", async () => {
    const settings = { flags: { "tool-result-limits": { Bash: 100 } } };
    const seen = (lines: number) => seenResults([{ id: "t1", content: numberedLines(lines) }], { settings });
    const [small, large] = [await seen(20), await seen(200)];
    const offloads = ({ events }: typeof small) => events.filter(({ type }) => type === "result-offload");
    expect([small.results.t1, offloads(small)]).toEqual([numberedLines(20), []]);
    expect(large.results.t1).toMatch(/^<persisted-output>/);
    expect(offloads(large)).toHaveLength(1);
  });

  it("of a prompt's block is left out where its file's path alone makes it larger", async () => {
    const path = `/${"deep/".repeat(300)}`;
    const blobs: Pick<BlobStore, "put" | "name"> = {
      put: async (_, bytes) => ok({ blob: "b", bytes: bytes.length, lines: 1 }),
      name: async () => ok(path),
    };
    const events: unknown[] = [];
    const io = {
      blobs,
      session: "one",
      emit: (event: unknown) => void events.push(event),
      tokensOf: (block: unknown) => JSON.stringify(block).length,
    } as unknown as LayerIo;
    const itemOf = (text: string) =>
      ({ entry: "e", index: 0, block: { type: "text", text } }) as unknown as ViewItem;
    const stored = async (text: string) => {
      const prompts = [{ items: [itemOf(text)] as const, previewBytes: 250 }];
      return applyToolResults({ choices: [], prompts, reason: "the window", basis: 1 }, io);
    };
    expect(await stored("x".repeat(1_000))).toEqual(ok([]));
    expect(events).toEqual([]);
    expect(await stored("x".repeat(9_000))).toMatchObject({ value: [{ decision: { blocks: [{}] } }] });
    expect(events).toHaveLength(1);
  });
});
