import { indexPath } from "@palimpsest/core/internal";
import { fail, type MemoryFolder, ok, type Result, type TreeVersion } from "@palimpsest/core/spec";

/** The path that a person means: a file, the beginning of its name, or the name of the memory in it. */
export async function findFile(memory: MemoryFolder, named: string): Promise<Result<string>> {
  const { memories, quarantined, invalid, index } = await memory.survey();
  const present: readonly KnownFile[] = [
    ...memories,
    ...quarantined,
    ...invalid,
    ...(index === undefined ? [] : [{ path: indexPath }]),
  ];
  const exact = exactPath(present, named);
  if (exact !== undefined) return ok(exact);
  const known = withFormer(present, await memory.history());
  const former = exactPath(known, named);
  if (former !== undefined) return ok(former);
  const lower = named.toLowerCase();
  const found = known.filter(
    ({ path, name }) => path.toLowerCase().startsWith(lower) || name?.toLowerCase() === lower,
  );
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return ok(only.path);
  if (only === undefined) {
    return fail("not-found", `There is no memory “${named}”.`, {
      path: named,
      fix: "“palimpsest memory list” shows what there is, “palimpsest memory log” also what is gone.",
    });
  }
  return fail("invalid-input", `“${named}” may be ${found.map(({ path }) => path).join(", ")}.`, {
    path: named,
    fix: "Write more of the name.",
  });
}

interface KnownFile {
  readonly path: string;
  readonly name?: string;
}

function exactPath(files: readonly KnownFile[], named: string): string | undefined {
  return [named, `${named}.md`].find((path) => files.some((one) => one.path === path));
}

/** With every file that was there once. */
function withFormer(present: readonly KnownFile[], history: readonly TreeVersion[]): readonly KnownFile[] {
  const names = new Map(present.map(({ path, name }) => [path, name]));
  const paths = new Set([...names.keys(), ...history.map(({ path }) => path)]);
  return [...paths].map((path) => ({ path, name: names.get(path) }));
}
