import { memoryNumbers } from "../../memory/memory-numbers.ts";
import { type Disk, fail, ok, type Result } from "../../spec/index.ts";
import { readWholeFile } from "../../stores/files/disk/whole-file.ts";
import type { FolderTexts, MemoryText } from "./memory-surroundings.ts";

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
