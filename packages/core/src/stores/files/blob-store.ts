import {
  type BlobStore,
  type Disk,
  fail,
  type Ids,
  ok,
  type PalimpsestError,
  type Result,
} from "../../spec/index.ts";
import { countLines, maxBlobBytes } from "../shared/blob-size.ts";
import { type Layout, toFileName } from "../shared/layout.ts";
import { isSha256, sha256Of } from "../shared/sha256.ts";
import {
  checkConfined,
  createDurableFolders,
  readWholeFile,
  refuseLink,
  writeWholeFile,
} from "./disk/whole-file.ts";
import { readTombstone } from "./upkeep/tombstone.ts";

export interface FileBlobStoreOptions {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly ids: Ids;
}

/**
 * Blobs as files named by their hash, one folder a session. They appear whole, by rename. A put without `durable`
 * can be lost or damaged by power loss, never by the end of the process; putting it again mends it. Names are second
 * names of the same file, so whoever edits one in place damages the blob: `get` says so. A name may be lost by power
 * loss; giving it again brings it back.
 */
export function createFileBlobStore({ disk, layout, ids }: FileBlobStoreOptions): BlobStore {
  const folders = createDurableFolders(disk, layout.root);
  /** Blobs this process has put and seen arrive: a sync that failed elsewhere cannot have left these in doubt. */
  const arrived = new Map<string, "written" | "durable">();

  async function confine(folder: string): Promise<Result<string>> {
    const checked = await checkConfined(disk, layout.root, folder.slice(layout.root.length + 1).split("/"));
    return checked.ok ? ok(folder) : checked;
  }

  async function blobFolder(session: string): Promise<Result<string>> {
    const folder = layout.blobs(session);
    return folder.ok ? confine(folder.value) : folder;
  }

  async function blobPath(session: string, sha256: string): Promise<Result<string>> {
    if (!isSha256(sha256)) {
      return fail("invalid-input", `${JSON.stringify(sha256)} is not a SHA-256.`, {
        fix: "Use the 64 lower-case hexadecimal digits that put gave.",
      });
    }
    const folder = await blobFolder(session);
    return folder.ok ? ok(`${folder.value}/${sha256}`) : folder;
  }

  /** A blob of an earlier process is read, since power loss may have left the right size and the wrong bytes. */
  async function isThere(path: string, bytes: Uint8Array, durable: boolean): Promise<Result<boolean>> {
    const known = arrived.get(path);
    if (durable && known !== "durable") return ok(false);
    const stat = await disk.stat(path);
    if (!stat.ok) return stat.error.code === "not-found" ? ok(false) : stat;
    if (stat.value.kind !== "file" || stat.value.bytes !== bytes.length) return ok(false);
    if (known !== undefined) return ok(true);
    const present = await readWholeFile(disk, path, maxBlobBytes);
    return present.ok ? ok(Buffer.compare(present.value, bytes) === 0) : present;
  }

  function whyAbsent(session: string, sha256: string, cause: PalimpsestError): Promise<Result<never>> {
    return explainAbsentBlob(disk, layout, session, sha256, cause);
  }

  async function get(session: string, sha256: string): Promise<Result<Uint8Array>> {
    const path = await blobPath(session, sha256);
    if (!path.ok) return path;
    const bytes = await readWholeFile(disk, path.value, maxBlobBytes);
    if (!bytes.ok) {
      return bytes.error.code === "not-found" ? whyAbsent(session, sha256, bytes.error) : bytes;
    }
    if (sha256Of(bytes.value) === sha256) return bytes;
    arrived.delete(path.value);
    return fail("corrupt", `The bytes of ${path.value} are not those it was stored with.`, {
      path: path.value,
      fix: "Restore the file from a backup, or put the same content again.",
      facts: { sha256, bytes: bytes.value.length },
    });
  }

  return {
    async put(session, bytes, { durable = false } = {}) {
      if (bytes.length > maxBlobBytes) {
        return fail("too-large", `A blob of ${bytes.length} bytes is over the limit of ${maxBlobBytes}.`, {
          facts: { bytes: bytes.length, maxBytes: maxBlobBytes },
        });
      }
      const sha256 = sha256Of(bytes);
      const ref = { blob: sha256, bytes: bytes.length, lines: countLines(bytes) };
      const path = await blobPath(session, sha256);
      if (!path.ok) return path;
      const present = await isThere(path.value, bytes, durable);
      if (!present.ok) return present;
      if (present.value) return ok(ref);
      const folder = path.value.slice(0, -sha256.length - 1);
      const made = await folders.make(folder, durable);
      if (!made.ok) return made;
      const temporary = `${folder}/${ids.next("temporary")}`;
      const written = await writeWholeFile(disk, path.value, bytes, { temporary, durable, when: "replace" });
      if (!written.ok) return written;
      if (arrived.get(path.value) !== "durable") arrived.set(path.value, durable ? "durable" : "written");
      return ok(ref);
    },

    get,

    async list(session) {
      const folder = await blobFolder(session);
      if (!folder.ok) return folder;
      const names = await disk.list(folder.value);
      if (names.ok) return ok(names.value.filter(isSha256));
      return names.error.code === "not-found" ? ok([]) : names;
    },

    async name(session, sha256, name) {
      const blob = await blobPath(session, sha256);
      if (!blob.ok) return blob;
      const location = layout.toolResults(session);
      const folder = location.ok ? await confine(location.value) : location;
      if (!folder.ok) return folder;
      const made = await disk.makeDirectory(folder.value);
      if (!made.ok) return made;
      const target = `${folder.value}/${toFileName(name)}`;
      const stat = await disk.stat(blob.value);
      if (!stat.ok) return stat.error.code === "not-found" ? whyAbsent(session, sha256, stat.error) : stat;
      if (stat.value.kind !== "file") return refuseLink(blob.value);
      const linked = await disk.link(blob.value, target);
      if (linked.ok) return ok(target);
      const taken = linked.error.code === "exists" ? await readWholeFile(disk, target, maxBlobBytes) : null;
      if (taken !== null && !taken.ok) return taken;
      if (taken !== null)
        return sha256Of(taken.value) === sha256 ? ok(target) : nameTaken(target, linked.error);
      const bytes = await get(session, sha256);
      if (!bytes.ok) return bytes;
      const temporary = `${blob.value.slice(0, -sha256.length - 1)}/${ids.next("temporary")}`;
      const copied = await writeWholeFile(disk, target, bytes.value, {
        temporary,
        durable: false,
        when: "replace",
      });
      return copied.ok ? ok(target) : copied;
    },

    async removeAll(session) {
      for (const location of [layout.toolResults(session), layout.blobs(session)]) {
        const folder = location.ok ? await confine(location.value) : location;
        if (!folder.ok) return folder;
        for (const path of arrived.keys()) if (path.startsWith(`${folder.value}/`)) arrived.delete(path);
        const removed = await disk.removeTree(folder.value);
        if (!removed.ok) return removed;
        const synced = await disk.syncDirectory(folder.value.slice(0, folder.value.lastIndexOf("/")));
        if (!synced.ok && synced.error.code !== "not-found") return synced;
      }
      return ok();
    },
  };
}

function nameTaken(target: string, cause: PalimpsestError): Result<never> {
  return fail("exists", `${target} names other content already.`, {
    path: target,
    fix: "Choose another name.",
    cause,
  });
}

/** Why a blob is not there: `collected` with the date if its session was removed, else `not-found`. */
async function explainAbsentBlob(
  disk: Disk,
  layout: Layout,
  session: string,
  sha256: string,
  cause: PalimpsestError,
): Promise<Result<never>> {
  const tombstone = await readTombstone(disk, layout, session);
  if (!tombstone.ok) return tombstone;
  if (tombstone.value === null) {
    return fail("not-found", `Session ${session} has no blob ${sha256}.`, { path: cause.path, cause });
  }
  const { at, why } = tombstone.value;
  return fail("collected", `Blob ${sha256} went with its session ${session} on ${String(at).slice(0, 10)}.`, {
    path: cause.path,
    fix: "Nothing here can bring it back; look for the session in a backup.",
    facts: { at, why },
  });
}
