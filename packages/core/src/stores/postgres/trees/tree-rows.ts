import type { TreeVersion } from "../../../spec/index.ts";
import { sha256Of } from "../../shared/sha256.ts";
import type { VersionDraft } from "../../shared/trees/tree-version-draft.ts";

/** A version as its row says, without its content. */
export interface VersionRow {
  readonly path: Buffer;
  readonly version: number;
  readonly at: string;
  readonly about: Buffer;
  readonly sha256: string;
  readonly is_removed: boolean;
  readonly bytes: number;
}

/** Of the table `tree_version`, called `v`. */
export const versionColumns =
  "v.path, v.version, v.at, v.about, v.sha256, v.is_removed, length(v.content) as bytes";

type About = Pick<TreeVersion, "author" | "session" | "source">;

/** JSON, so that every string comes back as it was. */
export function toAbout({ author, session, source }: VersionDraft): Buffer {
  return Buffer.from(JSON.stringify({ author, session, source }));
}

/** Its fields in the order that the header of a version's file has. */
export function toTreeVersion(row: VersionRow): TreeVersion {
  const { author, session, source } = JSON.parse(row.about.toString("utf8")) as About;
  return {
    path: row.path.toString("utf8"),
    version: row.version,
    at: row.at,
    author,
    ...(session !== undefined && { session }),
    ...(source !== undefined && { source }),
    ...(row.is_removed && { removed: true }),
    sha256: row.sha256,
    bytes: row.bytes,
  };
}

/** What the next version of a path will say. */
export function toNextVersion(
  path: string,
  version: number,
  at: string,
  { content, author, session, source, removed }: VersionDraft,
): TreeVersion {
  return {
    path,
    version,
    at,
    author,
    ...(session !== undefined && { session }),
    ...(source !== undefined && { source }),
    ...(removed && { removed }),
    sha256: sha256Of(content),
    bytes: content.length,
  };
}
