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
import { createLayout } from "../../shared/layout.ts";
import { sha256Of } from "../../shared/sha256.ts";
import { decodeTreeText, encodeTreeText, toTreePath } from "../../shared/trees/tree-path.ts";
import {
  encodeVersion,
  refuseAbsent,
  refuseRemoved,
  refuseWrite,
  toVersionDraft,
  type VersionDraft,
} from "../../shared/trees/tree-version.ts";
import type { Database } from "../database.ts";

interface PostgresTreeOptions {
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

interface PutParts {
  readonly database: Database;
  readonly project: string;
  readonly tree: string;
}

interface VersionToPut {
  readonly path: string;
  readonly expect: number | undefined;
  readonly draft: VersionDraft;
  /** The writer's clock: a label. */
  readonly at: string;
  /** Of this write alone; sent twice it is one write. */
  readonly token: string;
}

/** Rounds in which the refusal was out of date when it was looked at. */
const maxRounds = 100;
const uniqueViolation = "23505";

/**
 * Puts a version on top of what is there, in one statement that holds the path's row. Sent a second time it is refused,
 * by what it expects or by its token, and found by looking.
 */
async function putVersion(parts: PutParts, put: VersionToPut): Promise<Result<TreeVersion>> {
  const { path, draft, at, expect, token } = put;
  const fitting = encodeVersion(toNextVersion(path, 1, at, draft), new Uint8Array(0));
  if (!fitting.ok) return fitting;
  const isRemoval = draft.removed === true;
  const mayBeFirst = !isRemoval && (expect === undefined || expect === 0);
  const text = `select ${parts.database.schema}.put_version($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as version`;
  const values = [
    ...[parts.project, parts.tree, Buffer.from(path), expect ?? null, mayBeFirst, isRemoval],
    ...[token, at, toAbout(draft), sha256Of(draft.content), Buffer.from(draft.content)],
  ];
  for (let round = 0; round < maxRounds; round += 1) {
    const added = await parts.database.query<{ version: number | null }>(text, values, {
      isRepeatable: true,
    });
    const version = added.ok ? (added.value.rows[0]?.version ?? null) : null;
    if (version !== null) return ok(toNextVersion(path, version, at, draft));
    // Two tries of one write have met: one of them is done.
    if (!added.ok && added.error.facts.database !== uniqueViolation) return added;
    const seen = await look(parts, put);
    if (!seen.ok) return seen;
    if (seen.value.done !== null) return ok(toNextVersion(path, seen.value.done, at, draft));
    const { header } = seen.value;
    const observed = { newest: header?.version ?? 0, header, blocked: null };
    const refusal = refuseWrite(path, observed, expect, isRemoval);
    if (refusal !== null) return refusal;
  }
  return fail("conflict", `Others keep writing ${path} faster than this write.`, { path, retryable: true });
}

interface SeenVersion {
  readonly header: TreeVersion | null;
  /** The version that this write has made. */
  readonly done: number | null;
}

async function look({ database, project, tree }: PutParts, put: VersionToPut): Promise<Result<SeenVersion>> {
  const { schema } = database;
  const found = await database.query<Partial<VersionRow> & { readonly done: number | null }>(
    `select ${versionColumns}, (select version from ${schema}.tree_version where project = $1 and token = $4) as done
     from (select 1) as once left join lateral (
       select * from ${schema}.tree_version
       where project = $1 and tree = $2 and path = $3 order by version desc limit 1
     ) as v on true`,
    [project, tree, Buffer.from(put.path), put.token],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  const [row] = found.value.rows;
  const hasVersion = row !== undefined && row.path !== null;
  return ok({ header: hasVersion ? toTreeVersion(row as VersionRow) : null, done: row?.done ?? null });
}

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

type VersionOrigin = Pick<TreeVersion, "author" | "session" | "source">;

/** JSON, so that every string comes back as it was. */
export function toAbout({ author, session, source }: VersionDraft): Buffer {
  return Buffer.from(JSON.stringify({ author, session, source }));
}

/** Its fields in the order that the header of a version's file has. */
export function toTreeVersion(row: VersionRow): TreeVersion {
  const { author, session, source } = JSON.parse(row.about.toString("utf8")) as VersionOrigin;
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

/** The fields of a path's next version. */
function toNextVersion(
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
