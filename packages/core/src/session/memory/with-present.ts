import { type FileTree, fail, type PalimpsestError, type TreeVersion } from "../../spec/index.ts";

/** A conflict with what stands there now, so that the change can be planned again. */
export async function withPresent(
  tree: FileTree,
  path: string,
  error: PalimpsestError,
): Promise<{ readonly ok: false; readonly error: PalimpsestError }> {
  if (error.code !== "conflict") return { ok: false, error };
  const present = await tree.read(path);
  const facts: Record<string, unknown> = present.ok
    ? {
        text: present.value.text,
        version: present.value.version.version,
        author: toAuthor(present.value.version),
      }
    : { text: null, version: 0 };
  return fail("conflict", error.message, { path, fix: error.fix, facts: { ...error.facts, ...facts } });
}

function toAuthor({ author }: TreeVersion): string {
  return author === "outside" ? "user" : author;
}
