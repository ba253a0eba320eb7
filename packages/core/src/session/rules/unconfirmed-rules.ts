import { isWithin } from "../../permissions/plain-path.ts";
import { type Disk, ok, type Result } from "../../spec/index.ts";
import { sha256Of } from "../../stores/shared/sha256.ts";
import { createContentRecords, type FileContent, type RecordWriter } from "../settings/content-records.ts";
import { findProjectRoot } from "./load-rules.ts";
import { type RulesFile, readRulesFile } from "./rules-file.ts";

export interface UnconfirmedLocation {
  readonly disk: Disk;
  /** The data root. */
  readonly home: string;
}

type Version = Pick<RulesFile, "path" | "sha256">;

/** Versions of rules files that were written while untrusted text was in view, until a person confirms them. */
export interface UnconfirmedRules {
  /** Where it cannot be told it is. */
  has(version: Version): Promise<boolean>;
  add(version: Version): Promise<Result<void>>;
}

export function createUnconfirmedRules(location: UnconfirmedLocation & RecordWriter): UnconfirmedRules {
  const records = recordsAt(location);
  return {
    async has(version) {
      const found = await records.has(toContent(version));
      return !found.ok || found.value;
    },
    add: (version) => records.add(toContent(version), location),
  };
}

/** A rules file as it waits to be confirmed. */
export interface UnconfirmedFile {
  readonly path: string;
  readonly text: string;
  readonly content: FileContent;
}

/** The files of a project, and the user's own, whose present version waits. */
export async function listUnconfirmed(
  location: UnconfirmedLocation,
  project: string,
): Promise<Result<readonly UnconfirmedFile[]>> {
  const { disk, home } = location;
  const root = await findProjectRoot(disk, project);
  const realHome = await disk.realPath(home);
  const folders = [root, realHome.ok ? realHome.value : home];
  const paths = await recordsAt(location).paths();
  if (!paths.ok) return paths;
  const waiting: UnconfirmedFile[] = [];
  for (const path of paths.value.filter((one) => folders.some((folder) => isWithin(one, folder)))) {
    const read = await readRulesFile(disk, path, { level: "user", root: undefined });
    if (!read.ok) continue;
    const content = toContent({ path, sha256: read.value.sha256 });
    const found = await recordsAt(location).has(content);
    if (!found.ok) return found;
    if (found.value) waiting.push({ path, text: read.value.text, content });
  }
  return ok(waiting);
}

/** A person has read this version and stands by it. */
export function confirmRules(
  location: UnconfirmedLocation,
  { content }: UnconfirmedFile,
): Promise<Result<void>> {
  return recordsAt(location).remove(content);
}

function recordsAt({ disk, home }: UnconfirmedLocation) {
  return createContentRecords(disk, `${home}/unconfirmed-rules`);
}

function toContent({ path, sha256 }: Version): FileContent {
  return { path, digest: sha256Of(Buffer.from(`${path}\0${sha256}`)) };
}
