import { watch } from "node:fs";
import { mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileToolOptions } from "../../packages/palimpsest/src/tools/files/index.ts";
import { startChild } from "./child.ts";
import { beginFileTools } from "./file-tools.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** What another process swaps for a link that leads out, while files are written. */
export type Swapped = "folder" | "parent" | "file";

export interface RaceInput {
  readonly swapped: Swapped;
  readonly calls: number;
  readonly options?: FileToolOptions;
}

export interface RaceReport {
  /** Successful calls by their tool. */
  readonly done: Readonly<Record<string, number>>;
  readonly refused: number;
  /** How often the other process has swapped. */
  readonly swaps: number;
  /** What is outside, by its path, that was there for a moment, or is another than before. */
  readonly landed: readonly string[];
}

const places = { folder: "up/inside", parent: "up", file: "up/inside/text.txt" } as const;
const notebook = (source: string) =>
  JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: [{ cell_type: "raw", id: "a", metadata: {}, source }],
  });

/** Writes and edits files in a workspace in which another process swaps folders and files for links that lead out of it. */
export async function raceFiles({ swapped, calls, options }: RaceInput): Promise<RaceReport> {
  const bench = await beginFileTools(options);
  const outside = await realpath(await temporaryFolder());
  for (const root of [bench.folder, outside]) {
    await mkdir(join(root, "up", "inside"), { recursive: true });
    for (const name of ["text.txt", "multi.txt", "whole.txt"])
      await writeFile(join(root, "up", "inside", name), "count: 0\n");
    await writeFile(join(root, "up", "inside", "book.ipynb"), notebook("count: 0"));
  }
  const before = await contentsOf(outside);
  const place = places[swapped];
  // What lands outside for a moment only counts as well.
  const seen = new Set<string>();
  const watchers = [join(outside, "up"), join(outside, "up", "inside")].map((folder) =>
    watch(folder, (_event, name) => seen.add(join(folder, name ?? ""))),
  );
  const child = startChild("swap-places.mjs", [join(bench.folder, place), join(outside, place)]);
  await child.printed(1);
  const done: Record<string, number> = {};
  let refused = 0;
  for (let call = 1; call <= calls; call += 1) {
    const isDone = await writeSomething(bench, call);
    if (isDone === undefined) refused += 1;
    else done[isDone] = (done[isDone] ?? 0) + 1;
  }
  child.process.stdin?.end();
  await child.printed(2);
  for (const watcher of watchers) watcher.close();
  const after = await contentsOf(outside);
  const landed = [...after].filter(([path, content]) => before.get(path) !== content).map(([path]) => path);
  return { done, refused, swaps: Number(child.lines()[1]), landed: [...new Set([...landed, ...seen])] };
}

/** The tool that has written, where it could. */
async function writeSomething(
  { folder, call, stamps }: Awaited<ReturnType<typeof beginFileTools>>,
  count: number,
): Promise<string | undefined> {
  const at = (name: string) => join(folder, "up", "inside", name);
  const tool = (["Write", "Edit", "MultiEdit", "NotebookEdit", "new"] as const)[count % 5] ?? "new";
  const path = {
    Write: at("whole.txt"),
    Edit: at("text.txt"),
    MultiEdit: at("multi.txt"),
    NotebookEdit: at("book.ipynb"),
    new: at(`made/${count}/new.txt`),
  }[tool];
  const context = { allowedPaths: [path] };
  stamps.delete(path);
  if (tool !== "new") {
    const read = await call("Read", { file_path: path }, context);
    if (read.isError) return undefined;
  }
  const text = tool === "new" ? "" : await readFile(path, "utf8").catch(() => "");
  const [old = "count: 0"] = /count: \d+/.exec(text) ?? [];
  const edit = { old_string: old, new_string: `count: ${count}` };
  const input = {
    Write: { file_path: path, content: `count: ${count}\n` },
    Edit: { file_path: path, ...edit },
    MultiEdit: { file_path: path, edits: [edit] },
    NotebookEdit: { notebook_path: path, cell_id: "a", new_source: `count: ${count}` },
    new: { file_path: path, content: "new\n" },
  }[tool];
  const written = await call(tool === "new" ? "Write" : tool, input, context);
  return written.isError ? undefined : tool;
}

async function contentsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    contents.set(path, entry.isFile() ? await readFile(path, "utf8") : "no file");
  }
  return contents;
}
