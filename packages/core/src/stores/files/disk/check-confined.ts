import { type Disk, fail, ok, type PalimpsestError, type Result } from "../../../spec/index.ts";

/**
 * Looks at every folder from `root`, which is trusted, down to `root/parts…`: `invalid-path` if one is a symbolic
 * link, `not-directory` if one is a file. Gives whether all of them are there. What a hostile program swaps between
 * this look and the call that follows is not seen.
 */
export async function checkConfined(
  disk: Disk,
  root: string,
  parts: readonly string[],
): Promise<Result<boolean>> {
  let path = root;
  for (const part of parts) {
    path = `${path}/${part}`;
    const stat = await disk.stat(path);
    if (!stat.ok) return stat.error.code === "not-found" ? ok(false) : stat;
    if (stat.value.kind === "directory") continue;
    if (stat.value.kind === "link") return refuseLink(path);
    return fail("not-directory", `${path} is not a folder.`, { path, fix: "Move the file away." });
  }
  return ok(true);
}

export function refuseLink(path: string): { readonly ok: false; readonly error: PalimpsestError } {
  return fail("invalid-path", `${path} is a symbolic link, and links are not followed here.`, {
    path,
    fix: "Replace the link by what it points to.",
  });
}
