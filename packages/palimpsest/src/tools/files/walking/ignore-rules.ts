import { relative, sep } from "node:path";
import type { Ignore } from "ignore";
import { isTameGlob } from "./is-tame-glob.ts";

/** What the ignore files of a folder and of those above it say of the things below. */
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
