import { fail, ok, type Result, type TreeWriteOptions } from "../../../spec/index.ts";

/** What a new version holds and says, all but its number. */
export interface VersionDraft {
  readonly content: Uint8Array;
  readonly author: string;
  readonly session?: string;
  readonly source?: string;
  readonly removed?: true;
}

/** Without content it is a removal. */
export function toVersionDraft(
  path: string,
  { author, session, source, expect }: TreeWriteOptions,
  content: Uint8Array | null,
): Result<VersionDraft> {
  if (typeof author !== "string" || author === "") {
    return fail("invalid-input", `A version of ${path} needs an author.`, {
      path,
      fix: "Name who writes, for example user, agent, dream or import.",
    });
  }
  if (expect !== undefined && !(Number.isSafeInteger(expect) && expect >= 0)) {
    return fail("invalid-input", `${expect} is not a version of ${path}.`, {
      path,
      fix: "Expect the version that was read, or 0 for none.",
    });
  }
  return ok({
    content: content ?? new Uint8Array(0),
    author,
    ...(session === undefined ? {} : { session }),
    ...(source === undefined ? {} : { source }),
    ...(content === null ? { removed: true as const } : {}),
  });
}
