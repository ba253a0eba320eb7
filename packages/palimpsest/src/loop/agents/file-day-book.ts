import { join } from "node:path";
import { type Disk, type DiskFile, ok, type Result } from "@palimpsest/core/spec";
import type { DayBook } from "./day-spend.ts";

export interface FileDayBookOptions {
  readonly disk: Disk;
  /** One file a day, a line for each sum. */
  readonly folder: string;
}

/** Shared by all sessions of one data root. */
export function createFileDayBook({ disk, folder }: FileDayBookOptions): DayBook {
  const pathOf = (day: string) => join(folder, `${day}.jsonl`);
  return {
    add: (day, dollars) => append(disk, folder, pathOf(day), `${JSON.stringify({ dollars })}\n`),
    async sum(day) {
      const text = await readWhole(disk, pathOf(day));
      if (text.ok) return ok(sumOf(text.value));
      return text.error.code === "not-found" ? ok(0) : text;
    },
  };
}

/** Lines that nobody can read count nothing. */
function sumOf(text: string): number {
  return text.split("\n").reduce((sum, line) => sum + dollarsIn(line), 0);
}

function dollarsIn(line: string): number {
  try {
    const { dollars } = JSON.parse(line) as { readonly dollars?: unknown };
    return typeof dollars === "number" && dollars > 0 ? dollars : 0;
  } catch {
    return 0;
  }
}

async function append(disk: Disk, folder: string, path: string, line: string): Promise<Result<void>> {
  const file = await openForAppend(disk, folder, path);
  if (!file.ok) return file;
  const written = await file.value.append(new TextEncoder().encode(line));
  await file.value.close();
  return written;
}

/** Several processes may make the file at once: whoever comes second opens it. */
async function openForAppend(disk: Disk, folder: string, path: string): Promise<Result<DiskFile>> {
  const there = await disk.open(path, "append");
  if (there.ok || there.error.code !== "not-found") return there;
  const made = await disk.makeDirectory(folder);
  if (!made.ok) return made;
  const created = await disk.open(path, "create");
  return !created.ok && created.error.code === "exists" ? disk.open(path, "append") : created;
}

async function readWhole(disk: Disk, path: string): Promise<Result<string>> {
  const file = await disk.open(path, "read");
  if (!file.ok) return file;
  const stat = await file.value.stat();
  const into = new Uint8Array(stat.ok ? stat.value.bytes : 0);
  const read = stat.ok ? await file.value.read(0, into) : stat;
  await file.value.close();
  return read.ok ? ok(new TextDecoder().decode(into.subarray(0, read.value))) : read;
}
