import { type ArchivePiece, ok, type Result, type TreeVersion } from "../../../spec/index.ts";
import { sha256Of } from "../../shared/sha256.ts";
import { toTreePath } from "../../shared/trees/tree-path.ts";
import { decodeVersion, encodeVersion } from "../../shared/trees/tree-version.ts";
import { toAbout, toTreeVersion, type VersionRow, versionColumns } from "../trees/file-tree.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";

type VersionPiece = Extract<ArchivePiece, { readonly kind: "version" }>;

const repeatable = { isRepeatable: true } as const;

/** Every version of every file of every tree of a project, each file's in order. */
export async function versionPieces({
  database,
  project,
}: ProjectRows): Promise<Result<readonly VersionPiece[]>> {
  const found = await database.query<{ tree: string; path: Buffer; version: number }>(
    `select tree, path, version from ${database.schema}.tree_version where project = $1
     order by tree, path, version`,
    [project],
    repeatable,
  );
  if (!found.ok) return found;
  return ok(
    found.value.rows.map(({ tree, path, version }) => ({
      kind: "version",
      tree,
      path: path.toString("utf8"),
      version,
    })),
  );
}

export async function readVersionPiece(
  { database, project }: ProjectRows,
  { tree, path, version }: VersionPiece,
): Promise<Result<Uint8Array | null>> {
  const found = await database.query<VersionRow & { readonly content: Buffer }>(
    `select ${versionColumns}, v.content from ${database.schema}.tree_version as v
     where v.project = $1 and v.tree = $2 and v.path = $3 and v.version = $4`,
    [project, tree, Buffer.from(path), version],
    repeatable,
  );
  if (!found.ok) return found;
  const [row] = found.value.rows;
  return row ? encodeVersion(toTreeVersion(row), row.content) : ok(null);
}

/** The version and, where it is the newest, what its file says; nothing where there is such a version. */
export async function writeVersionPiece(
  { database, project }: ProjectRows,
  piece: VersionPiece,
  bytes: Uint8Array,
): Promise<Result<void>> {
  const path = toTreePath(piece.path);
  const decoded = path.ok ? decodeVersion(bytes, piece) : path;
  if (!decoded.ok) return decoded;
  const { version, content } = decoded.value;
  const removed = version.removed === true;
  const { schema } = database;
  const written = await database.query(
    `with added as (
       insert into ${schema}.tree_version
         (project, tree, path, version, token, at, about, sha256, is_removed, content)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing returning version
     )
     insert into ${schema}.tree_file as f (project, tree, path, version, is_removed)
     select $1, $2, $3, version, $9 from added
     on conflict (project, tree, path) do update set version = excluded.version, is_removed = excluded.is_removed
       where f.version < excluded.version`,
    [
      ...[project, piece.tree, Buffer.from(piece.path), piece.version, tokenOf(piece), version.at],
      ...[toAbout(toDraft(version, content)), version.sha256, removed, Buffer.from(content)],
    ],
    repeatable,
  );
  return written.ok ? ok() : written;
}

/** The same for every copying of the same version. */
function tokenOf({ tree, path, version }: VersionPiece): string {
  return `copied-${sha256Of(Buffer.from(JSON.stringify([tree, path, version])))}`;
}

function toDraft({ author, session, source, removed }: TreeVersion, content: Uint8Array) {
  return {
    content,
    author,
    ...(session !== undefined && { session }),
    ...(source !== undefined && { source }),
    ...(removed && { removed }),
  };
}
