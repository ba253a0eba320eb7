import type { Change, ChangeSet } from "../../layers/6-dream/rules/change-set.ts";
import { type FileTree, ok, type Result } from "../../spec/index.ts";

/**
 * The change set for the versions of now, for files that read as they did when it was made: a try that was withdrawn
 * has given them other versions and the same text. Files that read differently keep the version that was seen.
 */
export async function rebaseChanges(memory: FileTree, changeSet: ChangeSet): Promise<Result<ChangeSet>> {
  const changes: Change[] = [];
  for (const change of changeSet.changes) {
    const history = await memory.history(change.path);
    if (!history.ok) return history;
    const newest = history.value.at(-1);
    const seen = history.value.find(({ version }) => version === change.expect);
    const digestOf = (version: typeof seen) => (version && !version.removed ? version.sha256 : null);
    const isSame = newest !== undefined && digestOf(newest) === digestOf(seen);
    changes.push(isSame ? { ...change, expect: newest.version } : change);
  }
  return ok({ ...changeSet, changes });
}
