import { fail, ok, type Result, type TreeVersion } from "../../../spec/index.ts";
import { sha256Of } from "../../files/disk/sha256.ts";
import { refuseWrite } from "../../files/trees/tree-refusals.ts";
import type { VersionDraft } from "../../files/trees/tree-version-draft.ts";
import { encodeVersion } from "../../files/trees/tree-version-file.ts";
import type { Database } from "../database.ts";
import { toAbout, toNextVersion, toTreeVersion, type VersionRow, versionColumns } from "./tree-rows.ts";

export interface PutParts {
  readonly database: Database;
  readonly project: string;
  readonly tree: string;
}

export interface VersionToPut {
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
export async function putVersion(parts: PutParts, put: VersionToPut): Promise<Result<TreeVersion>> {
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

interface Seen {
  readonly header: TreeVersion | null;
  /** The version that this write has made. */
  readonly done: number | null;
}

async function look({ database, project, tree }: PutParts, put: VersionToPut): Promise<Result<Seen>> {
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
