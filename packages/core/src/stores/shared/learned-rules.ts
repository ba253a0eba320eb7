import { fail, ok, type Result } from "../../spec/index.ts";

/** A learned value is small; a larger file is none. */
export const maxLearnedBytes = 4 * 1024 * 1024;

const legalName = /^[a-z][a-z0-9-]{0,63}$/;

/** Ok where it can name something learned. */
export function checkLearnedName(name: string): Result<void> {
  if (legalName.test(name)) return ok();
  return fail("invalid-input", `“${name}” cannot name something learned.`, { path: name });
}
