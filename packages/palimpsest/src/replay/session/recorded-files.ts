import { contentText, fileTools } from "@palimpsest/core/internal";
import {
  type ContentBlock,
  fail,
  isBlock,
  ok,
  type RestorePort,
  type ToolUseBlock,
} from "@palimpsest/core/spec";
import { pathOf } from "../grounding/need-state.ts";
import { isRulesText } from "../retention/retention-facts.ts";

/** Files as a recording last showed them, for what a compaction brings back. */
export interface RecordedFiles {
  readonly restore: RestorePort;
  see(content: readonly ContentBlock[]): void;
}

interface Change {
  readonly old_string?: unknown;
  readonly new_string?: unknown;
  readonly replace_all?: unknown;
}

const gutter = /^ *\d+(?:\t|→)/gm;
const reminder = /\n*<system-reminder>[\s\S]*<\/system-reminder>\s*$/;

/**
 * A file is known once it was read or written whole, and as long as every edit since could be made in what is known of
 * it. Rules are what the recording attached as rules files.
 */
export function createRecordedFiles(): RecordedFiles {
  const texts = new Map<string, string>();
  const calls = new Map<string, ToolUseBlock>();
  const rules = new Set<string>();

  function settle({ name, input }: ToolUseBlock, text: string): void {
    const path = pathOf(input);
    const action = fileTools.get(name);
    if (path === undefined || action === undefined) return;
    const { offset, limit, content, edits } = input as Readonly<Record<string, unknown>>;
    if (action === "read" && offset === undefined && limit === undefined)
      texts.set(path, text.replace(reminder, "").replace(gutter, ""));
    if (action === "written" && typeof content === "string") texts.set(path, content);
    if (action === "edited")
      for (const change of Array.isArray(edits) ? edits : [input]) apply(path, change as Change);
  }

  function apply(path: string, { old_string, new_string, replace_all }: Change): void {
    const text = texts.get(path);
    if (text === undefined) return;
    if (typeof old_string !== "string" || typeof new_string !== "string" || !text.includes(old_string))
      texts.delete(path);
    else if (replace_all) texts.set(path, text.split(old_string).join(new_string));
    else
      texts.set(
        path,
        text.replace(old_string, () => new_string),
      );
  }

  return {
    see(content) {
      for (const block of content) {
        if (isBlock(block, "text") && isRulesText(block.text)) rules.add(block.text);
        if (isBlock(block, "tool_use")) calls.set(block.id, block);
        if (!isBlock(block, "tool_result") || block.is_error) continue;
        const call = calls.get(block.tool_use_id);
        if (call) settle(call, contentText(block.content));
      }
    },
    restore: {
      async readFile(path) {
        const text = texts.get(path);
        if (text === undefined) return fail("not-found", "The recording does not show it whole.", { path });
        return ok({ text });
      },
      others: async () => ({
        tasks: [],
        skills: [],
        tools: [],
        rules: [...rules].map((text) => ({ subtype: "rules", text })),
      }),
    },
  };
}
