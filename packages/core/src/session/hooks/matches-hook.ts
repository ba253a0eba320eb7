import type { HookInputs, HookName } from "../../spec/index.ts";

/** Which field of its input a hook's matcher looks at; `undefined`: there is nothing to match. */
const subjects: {
  readonly [Name in HookName]: (keyof HookInputs[Name] & string) | undefined;
} = {
  SessionStart: "source",
  SessionEnd: "reason",
  UserPromptSubmit: undefined,
  PermissionRequest: "tool",
  PreToolUse: "tool",
  PostToolUse: "tool",
  PreCompact: "trigger",
  PostCompact: "trigger",
  Stop: undefined,
  SubagentStart: "agent",
  SubagentStop: "agent",
};

/** Whether a rule's matcher (`Edit|Write`, `mcp__*`) takes what the hook is about; without one it takes everything. */
export function matchesHook(name: HookName, matcher: string | undefined, input: object): boolean {
  const field = subjects[name];
  if (matcher === undefined || field === undefined) return true;
  const subject = String(new Map<string, unknown>(Object.entries(input)).get(field));
  return matcher.split("|").some((one) => matchesName(one, subject));
}

/** A star stands for anything. Each piece is looked for once, from left to right: no pattern takes long. */
function matchesName(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
    return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
