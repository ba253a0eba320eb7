import { type Disk, fail, ok, type Result } from "../../../spec/index.ts";

/** All bytes of a file; `too-large` when they are more than `maxBytes`. */
export async function readWholeFile(
  disk: Disk,
  path: string,
  maxBytes = 256 * 1024 * 1024,
): Promise<Result<Uint8Array>> {
  const opened = await disk.open(path, "read");
  if (!opened.ok) return opened;
  const file = opened.value;
  try {
    const stat = await file.stat();
    if (!stat.ok) return stat;
    if (stat.value.bytes > maxBytes) {
      const message = `${path} has ${stat.value.bytes} bytes, over the ${maxBytes} that are read at once.`;
      return fail("too-large", message, { path, facts: { bytes: stat.value.bytes, maxBytes } });
    }
    const bytes = new Uint8Array(stat.value.bytes);
    const read = await file.read(0, bytes);
    return read.ok ? ok(bytes.subarray(0, read.value)) : read;
  } finally {
    await file.close();
  }
}

export interface WholeFileOptions {
  /** Where the temporary file is made; on the same file system as `path`. */
  readonly temporary: string;
  /** Survives power loss once this returns. */
  readonly durable: boolean;
  /** `replace`: whatever is there. `absent`: only if nothing is there, else `exists`. */
  readonly when: "replace" | "absent";
}

/** Writes a file so that every reader sees all of it or none of it, also after a crash. */
export async function writeWholeFile(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  options: WholeFileOptions,
): Promise<Result<void>> {
  const { temporary, durable, when } = options;
  const created = await disk.open(temporary, "create");
  if (!created.ok) return created;
  let outcome = await created.value.append(bytes);
  if (outcome.ok && durable) outcome = await created.value.sync();
  const closed = await created.value.close();
  if (outcome.ok && !closed.ok) outcome = closed;
  if (outcome.ok)
    outcome = when === "replace" ? await disk.rename(temporary, path) : await disk.link(temporary, path);
  if (!outcome.ok || when === "absent") await disk.remove(temporary);
  if (outcome.ok && durable) outcome = await disk.syncDirectory(folderOf(path));
  return outcome;
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}
