import { describe, expect, it } from "vitest";
import { messageDocument, segmentOf } from "../../../../../../test/support/recall-documents.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { emptyContents, type RecallContents } from "../../../recall/index.ts";
import { createRecallIndexFiles } from "./recall-index-files.ts";

const folder = "/index";
let opened = 0;
function open(disk: VirtualDisk) {
  opened += 1;
  return createRecallIndexFiles({ disk, folder, ids: createVirtualIds(`p${opened}-`) });
}

function adding(present: RecallContents, ...words: readonly string[]): RecallContents {
  const added = words.map((word) => ({
    kind: "message" as const,
    segment: segmentOf([messageDocument(word, 1, word)]),
  }));
  return { ...present, segments: [...present.segments, ...added] };
}

describe("the files of an index", () => {
  it("are nothing at first, and then what was published last, the same object while nothing changes", async () => {
    const disk = createVirtualDisk();
    const [first, second] = [open(disk), open(disk)];
    expect(must(await first.load())).toEqual({
      generation: 0,
      contents: emptyContents,
      damagedKinds: [],
      problems: [],
    });
    const one = must(await first.publish(must(await first.load()), adding(emptyContents, "a")));
    const two = must(await first.publish(one, adding(one.contents, "b", "c")));
    expect(must(await first.load())).toBe(two);
    const read = must(await second.load());
    expect(read).toEqual(two);
    expect(must(await second.load())).toBe(read);
  });

  it("refuse a generation that another process has made, and leave nothing of it behind", async () => {
    const disk = createVirtualDisk();
    const [first, second] = [open(disk), open(disk)];
    const base = must(await second.load());
    must(await first.publish(must(await first.load()), adding(emptyContents, "a")));
    const before = must(await disk.list(folder));
    expect(refused(await second.publish(base, adding(emptyContents, "b")))).toBe("conflict");
    expect(must(await disk.list(folder))).toEqual(before);
  });

  it("refuse one that comes so late that its number is free again, and keep what later ones need", async () => {
    const disk = createVirtualDisk();
    const [first, late] = [open(disk), open(disk)];
    const base = must(await late.load());
    let state = must(await first.load());
    for (const word of ["a", "b", "c", "d"])
      state = must(await first.publish(state, adding(state.contents, word)));
    expect(refused(await late.publish(base, adding(emptyContents, "late")))).toBe("conflict");
    expect(must(await open(disk).load())).toEqual(state);
    expect(must(await late.load())).toEqual(state);
  });

  it("refuse one whose parts were cleared away by later ones while it was being written", async () => {
    const disk = createVirtualDisk();
    for (let lead = 1; lead < 40; lead += 1) {
      const [first, late] = [open(disk.attach()), open(disk.attach())];
      const base = must(await late.load());
      let state = must(await first.load());
      const publishing = late.publish(base, adding(emptyContents, "late", "later"));
      for (let tick = 0; tick < lead; tick += 1) await Promise.resolve();
      const codes = new Set<string>();
      for (const word of ["a", "b", "c"]) {
        const published = await first.publish(state, adding(emptyContents, word));
        if (!published.ok) codes.add(published.error.code);
        state = published.ok ? published.value : must(await first.load());
      }
      const result = await publishing;
      if (!result.ok) codes.add(result.error.code);
      expect([...codes].filter((code) => code !== "conflict")).toEqual([]);
      expect(must(await open(disk.attach()).load())).toMatchObject({ problems: [] });
    }
  });

  it("keep what the generation before needs, and no more", async () => {
    const disk = createVirtualDisk();
    const files = open(disk);
    const one = must(await files.publish(must(await files.load()), adding(emptyContents, "a")));
    const two = must(await files.publish(one, adding(emptyContents, "b")));
    must(await files.publish(two, adding(emptyContents, "c")));
    expect(must(await disk.list(folder)).map((name) => name.slice(0, 21))).toEqual([
      "manifest-000000000002",
      "manifest-000000000003",
      "segment-000000000002-",
      "segment-000000000003-",
    ]);
  });

  it("may be deleted at any time", async () => {
    const disk = createVirtualDisk();
    const files = open(disk);
    must(await files.publish(must(await files.load()), adding(emptyContents, "a")));
    must(await disk.removeTree(folder));
    expect(must(await files.load())).toMatchObject({ generation: 0, contents: emptyContents });
  });

  it("let a reader that was overtaken while reading look again", async () => {
    const disk = createVirtualDisk();
    const writer = open(disk.attach());
    let state = must(await writer.publish(must(await writer.load()), adding(emptyContents, "a")));
    for (let lead = 0; lead < 12; lead += 1) {
      const reading = open(disk.attach()).load();
      for (let tick = 0; tick < lead; tick += 1) await Promise.resolve();
      for (const word of ["b", "c", "d"])
        state = must(await writer.publish(state, adding(emptyContents, word)));
      const read = must(await reading);
      expect([read.problems, read.contents.segments.length]).toEqual([[], 1]);
    }
  });
});
