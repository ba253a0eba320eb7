import { dirname, join } from "node:path";
import type { FileSystem } from "../disk/file-system.ts";
import { emptyRules, type IgnoreRules } from "./ignore-rules.ts";

const ignoreFile = ".gitignore";
const maxRuleBytes = 1024 * 1024;

/** The root of the repository that a folder is in, itself included. */
export async function findRepository(fileSystem: FileSystem, folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await fileSystem.stat(join(at, ".git"))).ok) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The rules above a folder, up to the root of its repository; none where it is in no repository. */
export async function rulesAbove(fileSystem: FileSystem, root: string): Promise<IgnoreRules> {
  const repository = await findRepository(fileSystem, root);
  const folders: string[] = [];
  for (let at = root; repository !== undefined && at !== repository; at = dirname(at))
    folders.unshift(dirname(at));
  let rules = await emptyRules();
  for (const folder of folders) rules = rules.inside(folder, await ownRules(fileSystem, folder));
  return rules;
}

/** What the ignore file of a folder says; one that is absurdly large says nothing. */
export async function ownRules(fileSystem: FileSystem, folder: string): Promise<string | undefined> {
  const opened = await fileSystem.open(join(folder, ignoreFile));
  if (!opened.ok) return undefined;
  try {
    if (opened.value.facts.bytes > maxRuleBytes) return undefined;
    const read = await opened.value.read(0, maxRuleBytes);
    return read.ok ? new TextDecoder().decode(read.value) : undefined;
  } finally {
    await opened.value.close();
  }
}
