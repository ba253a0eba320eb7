import { fail, type PalimpsestError, type TreeVersion } from "../../../spec/index.ts";

/** What a file of a tree is when it is to be written. */
export interface TreeFileState {
  /** Something other than a file that stands where the visible file would be. */
  readonly blocked: PalimpsestError | null;
  /** The highest version number, 0 if there is none. */
  readonly newest: number;
  /** What it says; `null` if there is none or it is damaged. */
  readonly header: TreeVersion | null;
}

type Refusal = { readonly ok: false; readonly error: PalimpsestError };

/** Why a version may not be put on top of what was seen, if so. */
export function refuseWrite(
  path: string,
  { newest, header, blocked }: TreeFileState,
  expected: number | undefined,
  isRemoval: boolean,
): Refusal | null {
  const present = header?.removed ? 0 : newest;
  if (expected !== undefined && expected !== present && expected !== newest) {
    return refuseConflict(path, expected, present);
  }
  if (isRemoval && present === 0) return header === null ? refuseAbsent(path) : refuseRemoved(header);
  return blocked === null || isRemoval ? null : { ok: false, error: blocked };
}

function refuseConflict(path: string, expected: number, present: number): Refusal {
  const found = present === 0 ? "it is not there" : `it is at version ${present}`;
  const seen = expected === 0 ? "was expected not to be there" : `was expected at version ${expected}`;
  return fail("conflict", `${path} ${seen}, but ${found}.`, {
    path,
    fix: "Read it again, plan the change on what it says now, and write with that version.",
    facts: { expected, present },
  });
}

export function refuseAbsent(path: string, version?: number): Refusal {
  const what = version === undefined ? path : `Version ${version} of ${path}`;
  return fail("not-found", `${what} does not exist.`, { path });
}

export function refuseRemoved({ path, version, author, at }: TreeVersion): Refusal {
  return fail("not-found", `${path} was removed by ${author} at ${at}.`, {
    path,
    fix: "An earlier version can still be read.",
    facts: { version, author, at },
  });
}
