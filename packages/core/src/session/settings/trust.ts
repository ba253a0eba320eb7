import type { Disk, Result } from "../../spec/index.ts";
import {
  type ContentRecords,
  createContentRecords,
  type FileContent,
  type RecordWriter,
} from "./content-records.ts";

export { type FileContent, toFileContent } from "./content-records.ts";

export interface TrustLocation {
  readonly disk: Disk;
  /** The data root. */
  readonly home: string;
}

/** Whether somebody trusted exactly this content at this path. */
export async function isTrusted(place: TrustLocation, content: FileContent): Promise<Result<boolean>> {
  return trusted(place).has(content);
}

/** Remembers that a person trusts this content; safe to call twice. Power loss may take it: the person is then asked again. */
export async function trust(
  place: TrustLocation & RecordWriter,
  content: FileContent,
): Promise<Result<void>> {
  return trusted(place).add(content, place);
}

/**
 * Forgets every version of these files, and of files in these folders, that was ever trusted, and gives how many records went; one that does not say
 * whose it is goes too. Power loss does not bring them back.
 */
export async function revokeTrust(place: TrustLocation, paths: readonly string[]): Promise<Result<number>> {
  return trusted(place).removeAll(paths);
}

function trusted({ disk, home }: TrustLocation): ContentRecords {
  return createContentRecords(disk, `${home}/trust`);
}
