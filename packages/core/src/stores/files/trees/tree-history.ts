import { type Clock, type Disk, type Ids, ok, type Result, type TreeVersion } from "../../../spec/index.ts";
import { sha256Of } from "../../shared/sha256.ts";
import { encodeVersion, type VersionContent, type VersionDraft } from "../../shared/trees/tree-version.ts";
import { type DurableFolders, writeWholeFile } from "../disk/whole-file.ts";
import { type TreeLocation, temporaryName } from "./tree-location.ts";
import { readVersion, readVersionHeader } from "./tree-version-file.ts";

/** The versions of the files of a tree. They are only ever added; the highest number is the truth. */
export interface TreeHistory {
  /** All numbers in order; a damaged version has one too. */
  numbers(location: TreeLocation): Promise<Result<readonly number[]>>;
  /** The highest number, 0 if there is none. */
  newest(location: TreeLocation): Promise<Result<number>>;
  header(location: TreeLocation, number: number): Promise<Result<TreeVersion>>;
  read(location: TreeLocation, number: number): Promise<Result<VersionContent>>;
  /** `exists` if another process has made that number; of any number of processes exactly one makes it. */
  add(location: TreeLocation, number: number, draft: VersionDraft): Promise<Result<TreeVersion>>;
}

export interface TreeHistoryOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly durable: boolean;
  readonly folders: DurableFolders;
}

export function createTreeHistory({ disk, clock, ids, durable, folders }: TreeHistoryOptions): TreeHistory {
  /** The highest number seen: a place to begin looking, so that a long history costs no more than a short one. */
  const seen = new Map<string, number>();

  async function numbers(location: TreeLocation): Promise<Result<readonly number[]>> {
    const names = await disk.list(location.history);
    if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
    const found = names.value.filter((name) => /^[1-9]\d{0,14}$/.test(name)).map(Number);
    return ok(found.sort((one, other) => one - other));
  }

  async function last(location: TreeLocation): Promise<Result<number>> {
    const all = await numbers(location);
    return all.ok ? ok(all.value.at(-1) ?? 0) : all;
  }

  async function probe(location: TreeLocation, from: number): Promise<Result<number>> {
    for (let newest = from; ; newest += 1) {
      const next = await disk.stat(location.version(newest + 1));
      if (!next.ok) return next.error.code === "not-found" ? ok(newest) : next;
    }
  }

  return {
    numbers,
    async newest(location) {
      const known = seen.get(location.path);
      const start =
        known !== undefined && (await disk.stat(location.version(known))).ok
          ? ok(known)
          : await last(location);
      const newest = start.ok ? await probe(location, start.value) : start;
      if (newest.ok) seen.set(location.path, newest.value);
      return newest;
    },
    header: (location, number) =>
      readVersionHeader(disk, location.version(number), { path: location.path, version: number }),
    read: (location, number) =>
      readVersion(disk, location.version(number), { path: location.path, version: number }),
    async add(location, number, { content, ...rest }) {
      const version: TreeVersion = {
        path: location.path,
        version: number,
        at: new Date(clock.now()).toISOString(),
        ...rest,
        sha256: sha256Of(content),
        bytes: content.length,
      };
      const bytes = encodeVersion(version, content);
      if (!bytes.ok) return bytes;
      const made = await folders.make(location.copies, durable);
      if (!made.ok) return made;
      // So that power loss never takes a version and leaves the next one.
      const settled = durable ? await disk.syncDirectory(location.history) : ok();
      if (!settled.ok) return settled;
      const temporary = `${location.copies}/${temporaryName(ids.next("version"))}`;
      const written = await writeWholeFile(disk, location.version(number), bytes.value, {
        temporary,
        durable,
        when: "absent",
      });
      return written.ok ? ok(version) : written;
    },
  };
}
