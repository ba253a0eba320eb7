import {
  type ArchivePiece,
  type Disk,
  fail,
  type Ids,
  ok,
  type Result,
  type StoreArchive,
} from "../../../spec/index.ts";
import { type Layout, toFileName } from "../../shared/layout.ts";
import { isSha256, sha256Of } from "../../shared/sha256.ts";
import { fromHistoryName, historyFolderName, toTreePath } from "../../shared/trees/tree-path.ts";
import { agentsOf } from "../agent-records.ts";
import { folderOf, readWholeFile, writeWholeFile } from "../disk/whole-file.ts";
import { toTreeLocation } from "../trees/tree-location.ts";
import { notesPath } from "../upkeep/session-files.ts";
import { logParts, readLogPart, writeLogPart } from "./log-parts.ts";
import { mailLocation, mailPieces } from "./mail-pieces.ts";

export interface FileArchiveOptions {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly ids: Ids;
}

const logSuffix = ".jsonl";
const tombstoneSuffix = ".tombstone.json";
const maxPieceBytes = 1024 ** 3;

/** A project's folder, as pieces. */
export function createFileArchive({ disk, layout, ids }: FileArchiveOptions): StoreArchive {
  const names = async (folder: string): Promise<Result<readonly string[]>> => {
    const listed = await disk.list(folder);
    return !listed.ok && listed.error.code === "not-found" ? ok([]) : listed;
  };

  async function withForks(session: string): Promise<Result<readonly string[]>> {
    const forks = await agentsOf(disk, layout, session);
    return forks.ok ? ok([session, ...forks.value]) : forks;
  }

  /** Where a piece is, unless it is a part of a log or a name. */
  function placeOf(piece: Exclude<ArchivePiece, { kind: "log" }>): Result<string> {
    const below = (folder: Result<string>, name: string) =>
      folder.ok ? ok(`${folder.value}/${name}`) : folder;
    switch (piece.kind) {
      case "blob":
        return isSha256(piece.sha256)
          ? below(layout.blobs(piece.session), piece.sha256)
          : fail("invalid-input", `${JSON.stringify(piece.sha256)} is not a SHA-256.`);
      case "blob-name":
        return below(layout.toolResults(piece.session), toFileName(piece.name));
      case "notes": {
        const log = layout.log(piece.session);
        return log.ok ? ok(notesPath(layout, log.value)) : log;
      }
      case "tombstone":
        return layout.tombstone(piece.session);
      case "version":
        return versionPlace(layout, piece);
      case "mail":
        return ok(`${layout.root}/mail`);
      case "consolidation":
        return ok(`${layout.root}/memory/.consolidate-lock`);
    }
  }

  async function readFile(path: string): Promise<Result<Uint8Array | null>> {
    const bytes = await readWholeFile(disk, path, maxPieceBytes);
    return !bytes.ok && bytes.error.code === "not-found" ? ok(null) : bytes;
  }

  async function read(piece: ArchivePiece): Promise<Result<Uint8Array | null>> {
    if (piece.kind === "log") {
      const path = layout.log(piece.session);
      return path.ok ? readLogPart(disk, path.value, piece) : path;
    }
    if (piece.kind === "mail") {
      const location = await mailLocation(disk, layout, piece);
      return location.ok && location.value !== null
        ? readFile(location.value.path)
        : (location as Result<null>);
    }
    const path = placeOf(piece);
    if (!path.ok) return path;
    if (piece.kind === "consolidation") {
      const stat = await disk.stat(path.value);
      if (!stat.ok) return stat.error.code === "not-found" ? ok(null) : stat;
      const lastMs = Math.round(stat.value.modifiedMs);
      return ok(lastMs === 0 ? null : Buffer.from(String(lastMs)));
    }
    const content = await readFile(path.value);
    if (!content.ok || content.value === null || piece.kind !== "blob-name") return content;
    return ok(Buffer.from(sha256Of(content.value)));
  }

  async function put(
    path: string,
    content: Uint8Array,
    when: "absent" | "replace" = "absent",
  ): Promise<Result<void>> {
    const made = await disk.makeDirectory(folderOf(path));
    if (!made.ok) return made;
    const temporary = `${folderOf(path)}/${ids.next("tmp")}`;
    return writeWholeFile(disk, path, content, { temporary, durable: true, when });
  }

  /** A name is a second name of its blob's file. */
  async function writeName(session: string, path: string, content: Uint8Array): Promise<Result<void>> {
    const blob = placeOf({ kind: "blob", session, sha256: Buffer.from(content).toString() });
    if (!blob.ok) return blob;
    const made = await disk.makeDirectory(folderOf(path));
    return made.ok ? disk.link(blob.value, path) : made;
  }

  /** It has its time before it has its name: half of it would be another time. */
  async function writeTime(path: string, content: Uint8Array): Promise<Result<void>> {
    const made = await disk.makeDirectory(folderOf(path));
    if (!made.ok) return made;
    const temporary = `${path}.${ids.next("tmp")}`;
    const created = await disk.open(temporary, "create");
    if (!created.ok) return created;
    const set = await created.value.setModified(Number(Buffer.from(content).toString()));
    const synced = set.ok ? await created.value.sync() : set;
    await created.value.close();
    const linked = synced.ok ? await disk.link(temporary, path) : synced;
    await disk.remove(temporary);
    return linked.ok ? disk.syncDirectory(folderOf(path)) : linked;
  }

  /** The lock says more than its time: all of that stays. */
  async function setTime(path: string, content: Uint8Array): Promise<Result<void>> {
    const opened = await disk.open(path, "append");
    if (!opened.ok) return opened;
    const set = await opened.value.setModified(Number(Buffer.from(content).toString()));
    const synced = set.ok ? await opened.value.sync() : set;
    await opened.value.close();
    return synced;
  }

  async function writeNew(
    piece: Exclude<ArchivePiece, { kind: "log" }>,
    content: Uint8Array,
  ): Promise<Result<void>> {
    if (piece.kind === "mail") {
      const location = await mailLocation(disk, layout, piece, content);
      return location.ok && location.value !== null
        ? put(location.value.path, content)
        : (location as Result<never>);
    }
    const path = placeOf(piece);
    if (!path.ok) return path;
    if (piece.kind === "blob-name") return writeName(piece.session, path.value, content);
    return piece.kind === "consolidation" ? writeTime(path.value, content) : put(path.value, content);
  }

  return {
    async sessions() {
      const listed = await names(layout.sessions);
      if (!listed.ok) return listed;
      const found: string[] = [];
      for (const name of listed.value) {
        const suffix = [logSuffix, tombstoneSuffix].find((one) => name.endsWith(one));
        if (suffix === undefined) continue;
        const forks = await withForks(name.slice(0, -suffix.length));
        if (!forks.ok) return forks;
        for (const session of forks.value) if (!found.includes(session)) found.push(session);
      }
      return ok(found);
    },

    async piecesOf(session) {
      const pieces: ArchivePiece[] = [];
      for (const kind of ["tombstone", "notes"] as const) {
        const piece = { kind, session };
        const present = await read(piece);
        if (!present.ok) return present;
        if (present.value !== null) pieces.push(piece);
      }
      const [blobs, results, log] = [layout.blobs(session), layout.toolResults(session), layout.log(session)];
      if (!blobs.ok || !results.ok || !log.ok)
        return blobs.ok ? (results.ok ? (log as Result<never>) : results) : blobs;
      const hashes = await names(blobs.value);
      if (!hashes.ok) return hashes;
      for (const sha256 of hashes.value.filter(isSha256)) pieces.push({ kind: "blob", session, sha256 });
      const named = await names(results.value);
      if (!named.ok) return named;
      for (const name of named.value) pieces.push({ kind: "blob-name", session, name });
      const parts = await logParts(disk, log.value, session);
      if (!parts.ok) return parts.error.code === "not-found" ? ok(pieces) : parts;
      return ok([...pieces, ...parts.value]);
    },

    async others() {
      const trees = await treePieces(disk, layout);
      const mails = trees.ok ? await mailPieces(disk, layout) : trees;
      if (!trees.ok || !mails.ok) return mails;
      const time = await read({ kind: "consolidation" });
      if (!time.ok) return time;
      return ok([
        ...trees.value,
        ...mails.value,
        ...(time.value ? [{ kind: "consolidation" } as const] : []),
      ]);
    },

    read,

    async write(piece, content) {
      if (piece.kind === "log") {
        const path = layout.log(piece.session);
        if (!path.ok) return path;
        return writeLogPart(disk, path.value, `${folderOf(path.value)}/${ids.next("tmp")}`, piece, content);
      }
      const written = await writeNew(piece, content);
      if (written.ok || written.error.code !== "exists") return written;
      const present = await read(piece);
      if (!present.ok) return present;
      return present.value && Buffer.compare(present.value, content) === 0 ? ok() : written;
    },

    async replace(piece, content) {
      const path = placeOf(piece);
      if (!path.ok) return path;
      return piece.kind === "notes" ? put(path.value, content, "replace") : setTime(path.value, content);
    },
  };
}

type VersionPiece = Extract<ArchivePiece, { readonly kind: "version" }>;

const isNumber = (name: string) => /^[1-9]\d{0,14}$/.test(name);

/** Every version of every file of every tree of a project, each file's in order. */
async function treePieces(disk: Disk, layout: Layout): Promise<Result<readonly VersionPiece[]>> {
  const folders = await disk.list(layout.root);
  if (!folders.ok) return folders.error.code === "not-found" ? ok([]) : folders;
  const pieces: VersionPiece[] = [];
  for (const tree of folders.value) {
    const histories = await disk.list(`${layout.root}/${tree}/${historyFolderName}`);
    if (!histories.ok) continue;
    for (const name of histories.value) {
      const path = fromHistoryName(name);
      if (path === null) continue;
      const versions = await disk.list(`${layout.root}/${tree}/${historyFolderName}/${name}`);
      if (!versions.ok) return versions;
      const numbers = versions.value.filter(isNumber).map(Number);
      for (const version of numbers.sort((one, other) => one - other))
        pieces.push({ kind: "version", tree, path, version });
    }
  }
  return ok(pieces);
}

function versionPlace(layout: Layout, { tree, path, version }: VersionPiece): Result<string> {
  const folder = layout.tree(tree);
  const checked = folder.ok ? toTreePath(path) : folder;
  if (!folder.ok || !checked.ok) return checked;
  return ok(toTreeLocation(folder.value, checked.value).version(version));
}
