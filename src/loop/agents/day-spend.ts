import { join } from "node:path";
import { type Disk, type DiskFile, ok, type Result } from "../../spec/index.ts";

/** What the agents of all sessions of one data root have spent today. */
export interface DaySpend {
  /** Looks again at what others have written. */
  load(): Promise<void>;
  /** As far as it is known. */
  dollars(): number;
  add(dollars: number): void;
  /** Waits until everything added is written. */
  settle(): Promise<void>;
}

export interface DaySpendOptions {
  readonly disk: Disk;
  /** One file a day, a line for each sum. */
  readonly folder: string;
  /** The day it is, such as `2026-01-31`. */
  readonly today: () => string;
  readonly warn: (text: string) => void;
}

export function createDaySpend({ disk, folder, today, warn }: DaySpendOptions): DaySpend {
  let day = today();
  let known = 0;
  let writing: Promise<void> = Promise.resolve();

  function turn(): void {
    if (today() === day) return;
    day = today();
    known = 0;
  }

  async function write(path: string, dollars: number): Promise<void> {
    const written = await append(disk, folder, path, `${JSON.stringify({ dollars })}\n`);
    if (!written.ok) warn(`What agents have spent today could not be written: ${written.error.message}`);
  }

  return {
    dollars: () => known,
    add(dollars) {
      turn();
      known += dollars;
      const path = join(folder, `${day}.jsonl`);
      writing = writing.then(() => write(path, dollars));
    },
    async load() {
      await writing;
      turn();
      const text = await readWhole(disk, join(folder, `${day}.jsonl`));
      if (text.ok) known = Math.max(known, sumOf(text.value));
      else if (text.error.code !== "not-found")
        warn(`What agents have spent today could not be read: ${text.error.message}`);
    },
    settle: () => writing,
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
