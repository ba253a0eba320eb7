import { dirname, join, relative, sep } from "node:path";
import type { Ignore } from "ignore";
import type { FileSystem } from "../disk/file-system.ts";
import { isTameGlob } from "./glob-filter.ts";

/** The ignore rules of a folder and of those above it, for the things below. */
export interface IgnoreRules {
  /** `included`: a rule says so, which shows hidden files too. */
  judge(path: string, isFolder: boolean): "ignored" | "included" | undefined;
  /** As they hold inside a folder, with its own ignore file where it has one. */
  inside(folder: string, ownRules?: string): IgnoreRules;
}

interface RuleFile {
  readonly folder: string;
  readonly rules: Ignore;
}

/** No rules yet. Loads what reads them. */
export async function emptyRules(): Promise<IgnoreRules> {
  const { default: ignore } = await import("ignore");
  const create = (text: string) =>
    ignore({ ignorecase: false }).add(text.split(/\r?\n/).filter(isTameGlob).join("\n"));
  return rulesOf([], create);
}

/** The nearest file comes first and wins. */
function rulesOf(files: readonly RuleFile[], create: (text: string) => Ignore): IgnoreRules {
  return {
    judge(path, isFolder) {
      for (const file of files) {
        const judged = test(file, path, isFolder);
        if (judged.ignored) return "ignored";
        if (judged.unignored) return "included";
      }
      return undefined;
    },
    /** A file that ignores the folder as a whole has nothing to say of what is in it: somebody asked for it. */
    inside(folder, ownRules) {
      const above = files.filter((file) => !test(file, folder, true).ignored);
      return rulesOf(
        ownRules === undefined ? above : [{ folder, rules: create(ownRules) }, ...above],
        create,
      );
    },
  };
}

function test({ folder, rules }: RuleFile, path: string, isFolder: boolean) {
  const below = relative(folder, path).split(sep).join("/");
  return rules.test(isFolder ? `${below}/` : below);
}

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

/** The ignore rules of a folder; a file that is absurdly large has none. */
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
