import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  append,
  notesOf,
  openVirtualRecall,
  said,
  writeMemory,
} from "../../../../../test/support/recall-store.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import type { Recall } from "../../spec/index.ts";
import type { FileStore } from "../../stores/files/store.ts";

const words = ["alpha", "beta", "gamma", "openRecall", "東京", "cache"];
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }).map((all) => all.join(" "));
const name = fc.constantFrom("a", "b", "c");

type Step =
  | { readonly do: "say" | "note" | "remember"; readonly name: string; readonly text: string }
  | { readonly do: "forget" | "remove"; readonly name: string }
  | { readonly do: "update" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("say" as const, "note" as const, "remember" as const), name, text }),
  fc.record({ do: fc.constantFrom("forget" as const, "remove" as const), name }),
  fc.record({ do: fc.constant("update" as const) }),
);

async function take(store: FileStore, recall: Recall, next: Step, turn: number): Promise<void> {
  if (next.do === "update") must(await recall.update());
  else if (next.do === "say")
    await append(store, next.name, [said("user", next.text)]).catch(() => undefined);
  else if (next.do === "note") await append(store, next.name, [notesOf(next.text)]).catch(() => undefined);
  else if (next.do === "remember") await writeMemory(store, `${next.name}.md`, `${next.text} ${turn}`);
  else if (next.do === "forget") await store.tree("memory").remove(`${next.name}.md`, { author: "user" });
  else await store.logs.remove(next.name, "test");
}

describe("an index kept up to date", () => {
  it("answers as one made from scratch, scores included", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const disk = createVirtualDisk();
        const { store, recall } = openVirtualRecall(disk);
        for (const [turn, next] of steps.entries()) await take(store, recall, next, turn);
        must(await recall.update());
        const scratch = disk.afterProcessCrash();
        must(await scratch.removeTree("/home/projects/test-00000000/recall"));
        const { recall: anew } = openVirtualRecall(scratch);
        const asked = await Promise.all(words.map((word) => recall.search(word, { limit: 50 })));
        must(await anew.update());
        expect(await Promise.all(words.map((word) => anew.search(word, { limit: 50 })))).toEqual(asked);
      }),
      { numRuns: 40 },
    );
  });

  it("has few parts after many updates", async () => {
    const disk = createVirtualDisk();
    const { store, recall } = openVirtualRecall(disk);
    for (let turn = 0; turn < 70; turn += 1) {
      await append(store, "s", [said("user", `cache number ${turn}`)]);
      must(await recall.update());
    }
    const names = must(await disk.list("/home/projects/test-00000000/recall"));
    expect(names.filter((one) => one.startsWith("segment")).length).toBeLessThan(24);
    expect(names.filter((one) => one.startsWith("manifest"))).toHaveLength(2);
    expect(must(await recall.search("cache", { limit: 100 })).hits).toHaveLength(70);
  });
});
