import type { EditedRequest } from "../edits/edit-request.ts";
import { reportInto } from "../request/report.ts";
import type { RequestViolation } from "../wire.ts";
import type { Emulation } from "./emulation.ts";

/**
 * Results can be deleted where the request reads them from the cache. Edits that were accepted before may be repeated
 * at their place whatever the cache still has: a pause does not make a conversation invalid.
 */
export function checkDeletions(
  { deletions, prompt }: EditedRequest,
  { cache, memory }: Pick<Emulation, "cache" | "memory">,
): readonly RequestViolation[] {
  const violations: RequestViolation[] = [];
  const report = reportInto(violations);
  const added = deletions.filter(({ key }) => !memory.hadEdit(key));
  const hitBlock = added.length === 0 ? -1 : cache.peek(prompt);
  for (const { block, path, reference } of added) {
    if (block > hitBlock)
      report("cache-edits", path, `the \`tool_result\` \`${reference}\` is not in the cached prefix`);
  }
  return violations;
}
