import { isWithin } from "@palimpsest/core/internal";
import type { PermissionVerdict, ToolSubject } from "@palimpsest/core/spec";
import type { CallMatter } from "./run.ts";

/** The tool that may change memory. */
const memoryTool = "memory";

/**
 * What is said of calls that touch the memory folder. The memory tool reads and writes it without asking, as far as no
 * rule and no mode is against it: `plan` denies its writes, `ask` asks for them. Every other tool is kept from writing there, in every mode: what it wrote would not
 * have been looked at. `null`: the call does not concern memory.
 */
export function decideMemoryAccess(
  matter: CallMatter,
  folder: string,
  decide: (matter: CallMatter) => PermissionVerdict,
): PermissionVerdict | null {
  const { tool, subjects } = matter;
  const isInside = ({ kind, value, realPath }: ToolSubject) =>
    kind === "path" &&
    (isWithin(value, folder) || (typeof realPath === "string" && isWithin(realPath, folder)));
  const inside = subjects.filter(isInside);
  if (inside.length === 0) return null;
  const isWriting = inside.some(({ access }) => access !== "read");
  if (tool !== memoryTool) {
    if (!isWriting) return null;
    const reason = `Memories are changed with the ${memoryTool} tool only (path /memories/…), so that they are looked at before they are kept.`;
    return { behavior: "deny", reason };
  }
  const verdict = decide({ ...matter, isReadOnly: !isWriting });
  const isOpen =
    verdict.behavior === "ask" && verdict.rule === undefined && !(isWriting && matter.mode === "ask");
  if (!isOpen || inside.length < subjects.length) return verdict;
  return { behavior: "allow", reason: isWriting ? "It writes memory." : "It reads memory." };
}
