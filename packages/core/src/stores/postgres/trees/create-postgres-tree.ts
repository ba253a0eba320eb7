import {
  type Clock,
  type FileTree,
  fail,
  type Ids,
  ok,
  type Result,
  type TreeFile,
  type TreeVersion,
  type TreeWriteOptions,
} from "../../../spec/index.ts";
import { sha256Of } from "../../files/disk/sha256.ts";
import { createLayout } from "../../files/layout.ts";
import { toTreePath } from "../../files/trees/tree-path.ts";
import { refuseAbsent, refuseRemoved } from "../../files/trees/tree-refusals.ts";
import { decodeTreeText, encodeTreeText } from "../../files/trees/tree-text.ts";
import { toVersionDraft } from "../../files/trees/tree-version-draft.ts";
import type { Database } from "../database.ts";
import { putVersion } from "./put-version.ts";
import { toTreeVersion, type VersionRow, versionColumns } from "./tree-rows.ts";

export interface PostgresTreeOptions {
  readonly database: Database;
  readonly project: string;
  /** Such as `memory`. */
  readonly tree: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * A tree in which every version is a row. Any number of machines may write: a write holds the row of its path for one
 * statement, so that versions count up without gaps. Nobody can change a file past the tree: no version is `outside`'s.
 */
export function createPostgresTree(options: PostgresTreeOptions): FileTree {
  const { database, project, tree, clock, ids } = options;
  const { schema } = database;
  const named = createLayout("", project).tree(tree);
  if (!named.ok) throw named.error;

  async function put(
    path: string,
    given: TreeWriteOptions,
    content: Uint8Array | null,
  ): Promise<Result<TreeVersion>> {
    const normal = toTreePath(path);
    if (!normal.ok) return normal;
    const draft = toVersionDraft(normal.value, given, content);
    if (!draft.ok) return draft;
    const at = new Date(clock.now()).toISOString();
    const token = ids.next("write");
    return putVersion(options, { path: normal.value, expect: given.expect, draft: draft.value, at, token });
  }

  function find(path: string, version: number | undefined) {
    return database.query<VersionRow & { readonly content: Buffer }>(
      `select ${versionColumns}, v.content from ${schema}.tree_version as v
       where v.project = $1 and v.tree = $2 and v.path = $3 and ($4::bigint is null or v.version = $4::bigint)
       order by v.version desc limit 1`,
      [project, tree, Buffer.from(path), version ?? null],
      { isRepeatable: true },
    );
  }

  function toFile(row: VersionRow & { readonly content: Buffer }): Result<TreeFile> {
    const version = toTreeVersion(row);
    if (version.removed) return refuseRemoved(version);
    const place = `${database.address}#${project}/${tree}/${version.path}`;
    if (sha256Of(row.content) !== version.sha256)
      return fail("corrupt", `Version ${version.version} of ${place} does not have its hash.`, {
        path: place,
        fix: "An earlier version can still be read.",
      });
    const text = decodeTreeText(row.content, place);
    return text.ok ? ok({ text: text.value, version }) : text;
  }

  return {
    async read(path, version) {
      const normal = toTreePath(path);
      if (!normal.ok) return normal;
      if (version !== undefined && !(Number.isSafeInteger(version) && version >= 1))
        return fail("invalid-input", `${version} is not a version of ${normal.value}.`, {
          path: normal.value,
          fix: "Versions count from 1.",
        });
      const found = await find(normal.value, version);
      if (!found.ok) return found;
      const [row] = found.value.rows;
      return row ? toFile(row) : refuseAbsent(normal.value, version);
    },

    async write(path, text, given) {
      const content = encodeTreeText(text, path);
      return content.ok ? put(path, given, content.value) : content;
    },

    remove: (path, given) => put(path, given, null),

    async list({ removed = false } = {}) {
      const found = await database.query<VersionRow>(
        `select ${versionColumns} from ${schema}.tree_file as f
         join ${schema}.tree_version as v using (project, tree, path, version)
         where f.project = $1 and f.tree = $2 and ($3::boolean or not f.is_removed)`,
        [project, tree, removed],
        { isRepeatable: true },
      );
      if (!found.ok) return found;
      const versions = found.value.rows.map(toTreeVersion);
      return ok(versions.toSorted((one, other) => (one.path < other.path ? -1 : 1)));
    },

    async history(path) {
      const normal = toTreePath(path);
      if (!normal.ok) return normal;
      const found = await database.query<VersionRow>(
        `select ${versionColumns} from ${schema}.tree_version as v
         where v.project = $1 and v.tree = $2 and v.path = $3 order by v.version`,
        [project, tree, Buffer.from(normal.value)],
        { isRepeatable: true },
      );
      return found.ok ? ok(found.value.rows.map(toTreeVersion)) : found;
    },
  };
}
