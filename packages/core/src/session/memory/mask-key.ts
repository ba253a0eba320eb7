import {
  type Disk,
  fail,
  type Ids,
  type LearnedStore,
  ok,
  type Result,
  type Store,
} from "../../spec/index.ts";
import { folderOf, readWholeFile, writeWholeFile } from "../../stores/files/disk/whole-file.ts";

/** The key of masks: made when it is first asked for, and the same ever after. */
export type ReadMaskKey = () => Promise<Result<string>>;

const minChars = 32;
const maxBytes = 4_096;
/** Under which name it is kept among what was learned. */
export const maskKeyName = "mask-key";

function makeKey(ids: Ids): string {
  return `${ids.next("key")}${ids.next("key")}`;
}

/** A file that only its owner can read. Of processes that make it at once one succeeds, and all use what it made. */
export function createFileMaskKey({
  disk,
  path,
  ids,
}: {
  readonly disk: Disk;
  readonly path: string;
  readonly ids: Ids;
}): ReadMaskKey {
  async function stored(): Promise<Result<string>> {
    const bytes = await readWholeFile(disk, path, maxBytes);
    if (!bytes.ok) return bytes;
    const key = Buffer.from(bytes.value).toString("utf8").trim();
    return key.length >= minChars ? ok(key) : damaged(path);
  }

  return async () => {
    const present = await stored();
    if (present.ok || present.error.code !== "not-found") return present;
    const made = await disk.makeDirectory(folderOf(path));
    if (!made.ok) return made;
    const written = await writeWholeFile(disk, path, Buffer.from(`${makeKey(ids)}\n`), {
      temporary: `${path}.${ids.next("tmp")}`,
      durable: true,
      when: "absent",
    });
    return written.ok || written.error.code === "exists" ? stored() : written;
  };
}

/** Stores in folders share the data root's key with all else on this machine; others have one for all their machines. */
export function createStoreMaskKey({
  store,
  disk,
  home,
  ids,
}: {
  readonly store: Store;
  readonly disk: Disk;
  /** The data root. */
  readonly home: string;
  readonly ids: Ids;
}): ReadMaskKey {
  return store.folders
    ? createFileMaskKey({ disk, path: `${home}/mask-key`, ids })
    : createLearnedMaskKey(store.learned, ids);
}

/** For stores that are no files. Without anything that lasts, the key is good for as long as this is. */
export function createLearnedMaskKey(learned: LearnedStore | undefined, ids: Ids): ReadMaskKey {
  const own = makeKey(ids);
  return async () => {
    if (learned === undefined) return ok(own);
    const present = await learned.read(maskKeyName);
    if (!present.ok) return present;
    if (isKept(present.value)) return ok(present.value.key);
    const written = await learned.write(maskKeyName, { version: 1, key: own });
    return written.ok ? ok(own) : written;
  };
}

function isKept(value: unknown): value is { readonly key: string } {
  const { key } = (value ?? {}) as Record<string, unknown>;
  return typeof key === "string" && key.length >= minChars;
}

function damaged(path: string): Result<never> {
  return fail("corrupt", `${path} holds no key: secrets cannot be masked.`, {
    path,
    fix: "Put the key back from a backup, or delete the file: secrets then get other masks than before.",
  });
}
