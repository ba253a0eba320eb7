import type { RequestContext, WireBody } from "../wire.ts";
import type { Report } from "./report.ts";
import { isRecord, toText } from "./wire-values.ts";

const minCompactionTrigger = 50_000;

/** The API's own edits of the context. Whether the headers allow them at all is `checkBetas`' question. */
export function checkContextManagement(
  { context_management: management, thinking }: WireBody,
  { capabilities }: RequestContext,
  report: Report,
): void {
  if (management === undefined || management === null) return;
  const say = (path: string, sentence: string) => report("context-management", path, sentence);
  if (!isRecord(management)) {
    say("context_management", "Input should be a valid dictionary");
    return;
  }
  if (!capabilities.contextManagement)
    say("context_management", "context management is not supported by this model");
  const { edits = [] } = management;
  if (!Array.isArray(edits)) {
    say("context_management.edits", "Input should be a valid list");
    return;
  }
  const seen = new Set<unknown>();
  for (const [index, edit] of edits.entries()) {
    const path = `context_management.edits.${index}`;
    const type = isRecord(edit) ? edit.type : undefined;
    if (isRecord(edit) && seen.has(type)) say(path, `\`${toText(type)}\` may be given once only`);
    seen.add(type);
    if (!isRecord(edit)) say(path, "Input should be a valid dictionary");
    else if (type === "clear_tool_uses_20250919") checkClearToolUses(edit, path, say);
    else if (type === "clear_thinking_20251015") {
      if (index > 0) say(path, "`clear_thinking_20251015` must be the first edit");
      if (!isRecord(thinking) || thinking.type === "disabled")
        say(path, "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive");
      checkClearThinking(edit.keep, path, say);
    } else if (type === "compact_20260112") {
      if (!capabilities.serverCompaction) say(path, "compaction is not supported by this model");
      checkCompact(edit, path, say);
    } else
      say(
        path,
        `Input tag '${toText(type)}' found using 'type' does not match any of the expected tags: 'clear_thinking_20251015', 'clear_tool_uses_20250919', 'compact_20260112'`,
      );
  }
}

type ReportViolation = (path: string, sentence: string) => void;

function checkClearToolUses(
  edit: Readonly<Record<string, unknown>>,
  path: string,
  say: ReportViolation,
): void {
  checkAmount(edit.trigger, ["input_tokens", "tool_uses"], `${path}.trigger`, 1, say);
  checkAmount(edit.keep, ["tool_uses"], `${path}.keep`, 0, say);
  checkAmount(edit.clear_at_least, ["input_tokens"], `${path}.clear_at_least`, 0, say);
  const { exclude_tools: excluded, clear_tool_inputs: inputs } = edit;
  if (excluded !== undefined && excluded !== null && !isStrings(excluded))
    say(`${path}.exclude_tools`, "Input should be a valid list");
  if (inputs !== undefined && inputs !== null && typeof inputs !== "boolean" && !isStrings(inputs))
    say(`${path}.clear_tool_inputs`, "Input should be a valid boolean");
}

function checkCompact(edit: Readonly<Record<string, unknown>>, path: string, say: ReportViolation): void {
  checkAmount(edit.trigger, ["input_tokens"], `${path}.trigger`, minCompactionTrigger, say);
  const { instructions, pause_after_compaction: pauses } = edit;
  if (instructions !== undefined && instructions !== null && typeof instructions !== "string")
    say(`${path}.instructions`, "Input should be a valid string");
  if (pauses !== undefined && typeof pauses !== "boolean")
    say(`${path}.pause_after_compaction`, "Input should be a valid boolean");
}

function checkClearThinking(keep: unknown, path: string, say: ReportViolation): void {
  if (keep === undefined || keep === "all" || (isRecord(keep) && keep.type === "all")) return;
  checkAmount(keep, ["thinking_turns"], `${path}.keep`, 1, say);
}

/** `{type, value}`, absent or null for the API's default. */
function checkAmount(
  amount: unknown,
  types: readonly string[],
  path: string,
  least: number,
  say: ReportViolation,
): void {
  if (amount === undefined || amount === null) return;
  if (!isRecord(amount)) {
    say(path, "Input should be a valid dictionary");
    return;
  }
  if (!types.includes(toText(amount.type)))
    say(`${path}.type`, `Input should be ${types.map((type) => `'${type}'`).join(" or ")}`);
  if (typeof amount.value !== "number" || !Number.isInteger(amount.value))
    say(`${path}.value`, "Input should be a valid integer");
  else if (amount.value < least) say(`${path}.value`, `Input should be greater than or equal to ${least}`);
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
