import { memoryPathKind } from "../../memory/check-memory.ts";
import { memoryNumbers } from "../../memory/memory-numbers.ts";
import { parseMemory } from "../../memory/parse-memory.ts";
import {
  type Disk,
  type FileTree,
  fail,
  type InvalidMemory,
  type Memory,
  type MemorySurvey,
  ok,
  type Result,
  type TreeVersion,
} from "../../spec/index.ts";
import { readWholeFile } from "../../stores/files/disk/whole-file.ts";
import type { FolderTexts, MemoryText } from "./memory-surroundings.ts";

export type SurveyMemories = () => Promise<Result<MemorySurvey>>;

type ReadMemory = { readonly memory: Memory } | { readonly invalid: InvalidMemory };

/** Looks at every file of a memory folder; what has not changed since the last look is not read again. */
export function createMemorySurvey(tree: FileTree): SurveyMemories {
  let known = new Map<string, ReadMemory>();

  /** `null` for a file that went away meanwhile. */
  async function read(version: TreeVersion): Promise<Result<ReadMemory | null>> {
    const key = `${version.path}\0${version.version}`;
    const before = known.get(key);
    if (before !== undefined) return ok(before);
    const file = await tree.read(version.path, version.version);
    if (!file.ok) return file.error.code === "not-found" ? ok(null) : file;
    return ok(readMemory(file.value.text, version));
  }

  return async () => {
    const listed = await tree.list();
    if (!listed.ok) return listed;
    const seen = new Map<string, ReadMemory>();
    for (const version of listed.value) {
      const kind = memoryPathKind(version.path);
      if (kind !== "memory" && kind !== "quarantined") continue;
      const one = await read(version);
      if (!one.ok) return one;
      if (one.value !== null) seen.set(`${version.path}\0${version.version}`, one.value);
    }
    known = seen;
    const all = [...seen.values()];
    const memories = all.flatMap((one) => ("memory" in one ? [one.memory] : []));
    const isIn = (kind: string) => memories.filter(({ path }) => memoryPathKind(path) === kind);
    return ok({
      memories: isIn("memory"),
      quarantined: isIn("quarantined"),
      invalid: all.flatMap((one) => ("invalid" in one ? [one.invalid] : [])),
    });
  };
}

function readMemory(text: string, version: TreeVersion): ReadMemory {
  const { path } = version;
  const isTooLarge = version.bytes > memoryNumbers.maxMemoryBytes;
  const parsed = parseMemory(text, version);
  if (parsed.ok && !isTooLarge) return { memory: parsed.value };
  const problem = parsed.ok
    ? `it has ${version.bytes} bytes, over ${memoryNumbers.maxMemoryBytes}: split it`
    : String(parsed.error.facts.problem);
  return { invalid: { path, version: version.version, problem, text } };
}

const maxDepth = 8;

/**
 * The markdown files of a folder, as they stand, without making versions of them. Hidden files are passed over, links
 * are never followed, and what is too large or no text is named.
 */
export async function readFolder(disk: Disk, folder: string): Promise<Result<FolderTexts>> {
  const files: MemoryText[] = [];
  const skipped: { path: string; why: string }[] = [];

  async function look(path: string, depth: number): Promise<void> {
    const stat = await disk.stat(`${folder}/${path}`);
    if (!stat.ok) skipped.push({ path, why: stat.error.message.replace(/\.$/, "") });
    else if (stat.value.kind === "link") skipped.push({ path, why: "it is a link" });
    else if (stat.value.kind === "directory" && depth >= maxDepth)
      skipped.push({ path, why: "it lies too deep" });
    else if (stat.value.kind === "directory") await walk(path, depth + 1);
    else if (stat.value.kind === "file" && path.endsWith(".md")) await take(path);
  }

  async function walk(path: string, depth: number): Promise<Result<void>> {
    const names = await disk.list(path === "" ? folder : `${folder}/${path}`);
    if (!names.ok) return names;
    for (const name of names.value) {
      if (!name.startsWith(".")) await look(path === "" ? name : `${path}/${name}`, depth);
    }
    return ok();
  }

  async function take(path: string): Promise<void> {
    const bytes = await readWholeFile(disk, `${folder}/${path}`, memoryNumbers.maxMemoryBytes);
    const text = bytes.ok ? decode(bytes.value) : null;
    if (text !== null) files.push({ path, text });
    else skipped.push({ path, why: bytes.ok ? "it is not UTF-8" : bytes.error.message.replace(/\.$/, "") });
  }

  const walked = await walk("", 0);
  if (walked.ok) return ok({ files, skipped });
  if (walked.error.code !== "not-found") return walked;
  return fail("not-found", `${folder} does not exist.`, {
    path: folder,
    fix: "Name a folder that is there.",
  });
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
