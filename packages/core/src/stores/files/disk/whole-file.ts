import { type Disk, fail, ok, type PalimpsestError, type Result } from "../../../spec/index.ts";

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

interface WholeFileOptions {
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

/**
 * Looks at every folder from `root`, which is trusted, down to `root/parts…`: `invalid-path` if one is a symbolic
 * link, `not-directory` if one is a file. Gives whether all of them are there. What a hostile program swaps between
 * this look and the call that follows is not seen.
 */
export async function checkConfined(
  disk: Disk,
  root: string,
  parts: readonly string[],
): Promise<Result<boolean>> {
  let path = root;
  for (const part of parts) {
    path = `${path}/${part}`;
    const stat = await disk.stat(path);
    if (!stat.ok) return stat.error.code === "not-found" ? ok(false) : stat;
    if (stat.value.kind === "directory") continue;
    if (stat.value.kind === "link") return refuseLink(path);
    return fail("not-directory", `${path} is not a folder.`, { path, fix: "Move the file away." });
  }
  return ok(true);
}

export function refuseLink(path: string): { readonly ok: false; readonly error: PalimpsestError } {
  return fail("invalid-path", `${path} is a symbolic link, and links are not followed here.`, {
    path,
    fix: "Replace the link by its target.",
  });
}

export interface DurableFolders {
  /** Makes a folder, with parents. With `durable`, its name and its parents' names survive power loss after this. */
  make(folder: string, durable: boolean): Promise<Result<void>>;
}

/**
 * A new folder's name is safe only when its parent is synced, and its parent's name when the grandparent is. Another
 * process may have made them without syncing, so each process syncs all the way up once per folder. Above `root`
 * this is best effort: those folders may be another user's.
 */
export function createDurableFolders(disk: Disk, root: string): DurableFolders {
  const settled = new Set<string>();

  async function syncParents(folder: string): Promise<Result<void>> {
    for (let child = folder; child !== "/" && !settled.has(child); child = folderOf(child)) {
      const synced = await disk.syncDirectory(folderOf(child));
      const isOurs = child === root || child.startsWith(`${root}/`);
      if (!synced.ok && (isOurs || synced.error.code === "crashed")) return synced;
    }
    for (let child = folder; child !== "/"; child = folderOf(child)) settled.add(child);
    return ok();
  }

  return {
    async make(folder, durable) {
      const stat = durable ? await disk.stat(folder) : null;
      if (stat?.ok === false) settled.clear();
      const made = await disk.makeDirectory(folder);
      return made.ok && durable ? syncParents(folder) : made;
    },
  };
}

/** Calls `use` on every item, at most `limit` at a time, and gives the results in the order of the items. */
export async function inParallel<Item, Value>(
  items: readonly Item[],
  limit: number,
  use: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  const results: Value[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await use(items[index] as Item);
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
