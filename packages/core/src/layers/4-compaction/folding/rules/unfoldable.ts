import { isBlock, type Ledgers, type ViewItem } from "../../../../spec/index.ts";
import { todoTools } from "../../../../view/ledgers/known-tools.ts";
import { isRuleLike } from "../../../../view/scribe/index.ts";

/**
 * Says of items whether they stay as they are, wherever they stand: what a decision put there, what nobody said
 * (rules, notices), calls that hold open to-dos, and what the user said, unless it is settled, reads like no rule for
 * later, and is neither the first nor the last of it.
 */
export function createUnfoldable(
  items: readonly ViewItem[],
  ledgers: Pick<Ledgers, "userMessages" | "intents" | "todos">,
): (item: ViewItem) => boolean {
  const settled = settledWords(ledgers);
  const todoCalls = openTodoCalls(items, ledgers.todos);
  return ({ role, block, entry, decision }) => {
    if (isBlock(block, "tool_use")) return todoCalls.has(block.id);
    if (isBlock(block, "tool_result")) return todoCalls.has(block.tool_use_id);
    if (entry === decision) return true;
    return role === "user" && !settled.has(entry);
  };
}

/** Entries of what the user said that may be folded with the work it led to. */
function settledWords({
  userMessages,
  intents,
}: Pick<Ledgers, "userMessages" | "intents">): ReadonlySet<string> {
  const open = new Set(intents.flatMap(({ entry, state }) => (state === "open" ? entry : [])));
  const between = userMessages.slice(1, -1);
  return new Set(between.flatMap(({ entry, text }) => (open.has(entry) || isRuleLike(text) ? [] : entry)));
}

const isOpen = ({ status }: Ledgers["todos"][number]) => status === "pending" || status === "in_progress";

/** The calls that say which to-dos are open: the newest whole list, and those that created or changed one of them. */
function openTodoCalls(items: readonly ViewItem[], todos: Ledgers["todos"]): ReadonlySet<string> {
  const open = todos.filter(isOpen);
  if (open.length === 0) return new Set();
  const calls = items.flatMap(({ block }) => (isBlock(block, "tool_use") ? block : []));
  const newestList = calls.findLast(({ name }) => todoTools.get(name) === "replace");
  const isAbout = (input: unknown) => {
    const { taskId, subject } = (input ?? {}) as { readonly taskId?: unknown; readonly subject?: unknown };
    return open.some(({ id, content }) => subject === content || (id !== undefined && String(taskId) === id));
  };
  const single = calls.filter(({ name, input }) => {
    const manner = todoTools.get(name);
    return (manner === "create" || manner === "update") && isAbout(input);
  });
  return new Set([...(newestList ? [newestList.id] : []), ...single.map(({ id }) => id)]);
}
