import { type FileTree, fail, ok, type Result, type TreeVersion } from "@palimpsest/core/spec";
import { type MemoryToolOptions, quarantineFolder } from "./memory-options.ts";
import { type MemoryPath, memoryTexts } from "./memory-path.ts";
import { numberedLines } from "./numbered-lines.ts";

const levels = 2;

/** Shows a file with its lines numbered, or what a folder holds. */
export async function viewMemory(
  { tree, onView }: Pick<MemoryToolOptions, "tree" | "onView">,
  path: MemoryPath,
  range: readonly number[] | undefined,
): Promise<Result<string>> {
  if (path.inTree !== "") {
    const read = await tree.read(path.inTree);
    if (read.ok) {
      onView?.(path.inTree);
      return viewText(read.value.text, path, range);
    }
    if (read.error.code !== "not-found" && read.error.code !== "is-directory") return read;
  }
  const below = await filesBelow(tree, path);
  if (!below.ok) return below;
  if (below.value.length === 0 && path.inTree !== "")
    return fail("not-found", memoryTexts.absent(path.shown));
  return ok(viewFolder(path, below.value));
}

/** The files below a folder, sorted; quarantine is left out. */
export async function filesBelow(
  tree: FileTree,
  { inTree }: MemoryPath,
): Promise<Result<readonly TreeVersion[]>> {
  const listed = await tree.list();
  if (!listed.ok) return listed;
  const prefix = inTree === "" ? "" : `${inTree}/`;
  const isShown = ({ path }: TreeVersion) =>
    path.startsWith(prefix) && path.split("/")[0]?.toLowerCase() !== quarantineFolder;
  return ok(listed.value.filter(isShown));
}

function viewText(text: string, { shown }: MemoryPath, range: readonly number[] | undefined): Result<string> {
  const lines = text.split("\n");
  const [given = 1, last = -1] = range ?? [];
  const first = Math.max(1, given);
  const end = last === -1 ? lines.length : Math.min(last, lines.length);
  if (range && end < first) return fail("invalid-input", memoryTexts.viewRange(range, lines.length));
  return ok(`${memoryTexts.file(shown)}\n${numberedLines(lines.slice(first - 1, end), first)}`);
}

function viewFolder({ shown, inTree }: MemoryPath, files: readonly TreeVersion[]): string {
  const from = inTree === "" ? 0 : inTree.length + 1;
  let total = 0;
  const sizes = new Map<string, number>();
  for (const { path, bytes } of files) {
    const parts = path.slice(from).split("/");
    if (parts.some((part) => part.startsWith(".") || part === "node_modules")) continue;
    total += bytes;
    for (let depth = 1; depth <= Math.min(parts.length, levels); depth += 1) {
      const name = parts.slice(0, depth).join("/") + (depth < parts.length ? "/" : "");
      sizes.set(name, (sizes.get(name) ?? 0) + bytes);
    }
  }
  const lines = [...sizes]
    .sort(([one], [other]) => compareParts(one, other))
    .map(([name, bytes]) => `${humanSize(bytes)}\t${shown}/${name}`);
  return [memoryTexts.folder(shown), `${humanSize(total)}\t${shown}`, ...lines].join("\n");
}

/** A folder stands right before what it holds. */
function compareParts(one: string, other: string): number {
  const [ones, others] = [one.split("/"), other.split("/")];
  for (let at = 0; at < Math.min(ones.length, others.length); at += 1) {
    const [first = "", second = ""] = [ones[at], others[at]];
    if (first !== second) return first < second ? -1 : 1;
  }
  return ones.length - others.length;
}

const units = ["B", "K", "M", "G"];

/** A size for reading: `0B`, `512B`, `1.5K`, `2M`. */
function humanSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length - 1);
  const size = bytes / 1024 ** power;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${units[power]}`;
}
