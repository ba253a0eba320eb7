import { describe, expect, it } from "vitest";
import {
  dreamDisk,
  dreamer,
  openDreamProcess,
  textsOf,
  topic,
} from "../../../../../test/support/dream-world.ts";
import { createVirtualStore } from "../../../../../test/support/virtual-store.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import type { VirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import type { FileTree } from "../../spec/index.ts";
import { openMemory } from "../memory/open-memory.ts";

const lines = (...all: readonly string[]) => topic(all.join("\n\n"));
const files = {
  "a.md": lines("The port is 8123.", "Anna owns billing.", "Deploys go out on Tuesdays."),
  "b.md": lines("Stale."),
  "c.md": lines("Left alone."),
  "d.md": lines("Also left alone."),
};
const dreamt = {
  "a.md": lines("The port is 9000.", "Anna owns billing.", "Deploys go out on Tuesdays."),
  "e.md": lines("New."),
};

const after = dreamer((now) => {
  for (const [path, text] of Object.entries(dreamt)) now.set(path, text);
  now.delete("b.md");
});

type Edit = (memory: FileTree) => Promise<unknown>;
const user = { author: "user" };

interface Case {
  readonly what: string;
  readonly edits: readonly Edit[];
  readonly left: Readonly<Record<string, string>>;
  readonly kept: readonly string[];
}

const otherLine = (port: number) =>
  lines(`The port is ${port}.`, "Anna owns billing.", "Deploys go out on Fridays.");
const cases: readonly Case[] = [
  { what: "nothing", edits: [], left: files, kept: [] },
  {
    what: "another line of a file that it rewrote",
    edits: [(memory) => memory.write("a.md", otherLine(9000), user)],
    left: { ...files, "a.md": otherLine(8123) },
    kept: [],
  },
  {
    what: "the very line that it rewrote",
    edits: [(memory) => memory.write("a.md", otherLine(7777), user)],
    left: { ...files, "a.md": otherLine(7777) },
    kept: ["a.md"],
  },
  {
    what: "a file that it did not touch",
    edits: [(memory) => memory.write("c.md", lines("Changed."), user)],
    left: { ...files, "c.md": lines("Changed.") },
    kept: [],
  },
  {
    what: "the file that it made, and the one that it removed",
    edits: [
      (memory) => memory.write("e.md", lines("New, and more."), user),
      (memory) => memory.write("b.md", lines("Not so stale."), user),
    ],
    left: { ...files, "e.md": lines("New, and more."), "b.md": lines("Not so stale.") },
    kept: ["b.md", "e.md"],
  },
  {
    what: "what it did, back to what was there",
    edits: [
      (memory) => memory.write("a.md", files["a.md"], user),
      (memory) => memory.write("b.md", files["b.md"], user),
      (memory) => memory.remove("e.md", user),
    ],
    left: files,
    kept: [],
  },
  {
    what: "the rewritten file, away",
    edits: [(memory) => memory.remove("a.md", user)],
    left: { "b.md": files["b.md"], "c.md": files["c.md"], "d.md": files["d.md"] },
    kept: ["a.md"],
  },
];

async function dreamtDisk(edits: readonly Edit[]) {
  const disk = await dreamDisk(files);
  const process = openDreamProcess(disk);
  const report = must(await process.dreams.once(after, { isByHand: true }));
  expect(report).toMatchObject({ outcome: "completed", record: { state: "applied" } });
  for (const edit of edits) await edit(process.memory);
  process.exit();
  const [listing] = must(await process.dreams.changes.list());
  return { disk, id: listing?.id ?? "" };
}

async function memoriesOf(disk: VirtualDisk) {
  const { "MEMORY.md": _index, ...rest } = await textsOf(openDreamProcess(disk).memory);
  return rest;
}

const openFolder = (disk: VirtualDisk) =>
  openMemory({
    store: createVirtualStore({ disk }),
    project: "test",
    search: false,
    maskSecrets: false,
    judgeMemory: false,
  });

describe("a dream taken back after a person has changed", () => {
  it.each(cases)(
    "$what keeps that, and names the files where the two meet",
    async ({ edits, left, kept }) => {
      const { disk, id } = await dreamtDisk(edits);
      const record = must(await openDreamProcess(disk).dreams.changes.revert(id));
      expect([await memoriesOf(disk), record.kept]).toEqual([left, kept]);
    },
  );

  it.each(cases)(
    "$what is as by memory revert, before it and after it too",
    async ({ edits, left, kept }) => {
      const { disk, id } = await dreamtDisk(edits);
      const folder = await openFolder(disk);
      const report = await folder.revert({ group: id });
      expect([await memoriesOf(disk), report.skipped.map(({ path }) => path)]).toEqual([left, kept]);
      const record = must(await openDreamProcess(disk).dreams.changes.revert(id));
      expect([await memoriesOf(disk), record.state, record.kept]).toEqual([left, "reverted", kept]);
      expect((await folder.revert({ group: id })).reverted).toEqual([]);
      expect(await memoriesOf(disk)).toEqual(left);
    },
  );
});
