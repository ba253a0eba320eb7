import { readToolCall, type ToolCall } from "@palimpsest/core/internal";
import { isBlock } from "@palimpsest/core/spec";
import { type RecordedBlock, recordedBlocks } from "../grounding/recorded-blocks.ts";
import type { RecordedSession } from "../recorded-session.ts";

/** What should still be known when a request is made, whether or not its response needs it. Since the newest recorded boundary. */
export interface RetentionFacts {
  readonly userMessages: readonly RecordedBlock[];
  readonly rules: readonly RecordedBlock[];
  /** The newest plan and the newest list of to-dos. */
  readonly plans: readonly PlanFact[];
  readonly writtenFiles: readonly FileFact[];
  readonly unresolvedError?: RecordedBlock;
}

export interface PlanFact {
  readonly key: string;
  /** Work still to be done, word for word. */
  readonly open: readonly string[];
  /** Earlier states of the same: shown without the newest, they mislead. */
  readonly earlier: readonly string[];
}

interface FileFact {
  readonly path: string;
  /** Blocks that name it; grows while the session goes on. */
  readonly namedBy: readonly string[];
}

interface Segment {
  readonly users: RecordedBlock[];
  readonly rules: RecordedBlock[];
  readonly plans: Map<string, PlanFact>;
  readonly files: Map<string, string[]>;
  readonly errors: Map<string, RecordedBlock>;
  readonly calls: Map<string, { readonly call: ToolCall; readonly key: string }>;
  readonly blocks: RecordedBlock[];
}

/** For each request of a session. */
export function findRetentionFacts(session: RecordedSession): readonly RetentionFacts[] {
  const blocks = recordedBlocks(session);
  let segment = emptySegment();
  let current = 0;
  let next = 0;
  return session.requests.map((request) => {
    if (request.segment !== current) segment = emptySegment();
    current = request.segment;
    for (; next < blocks.length && (blocks[next] as RecordedBlock).request <= request.index; next += 1) {
      const block = blocks[next] as RecordedBlock;
      if (block.segment === current) addBlock(block, segment);
    }
    const unresolvedError = [...segment.errors.values()].at(-1);
    return {
      userMessages: [...segment.users],
      rules: [...segment.rules],
      plans: [...segment.plans.values()],
      writtenFiles: [...segment.files].map(([path, namedBy]) => ({ path, namedBy })),
      ...(unresolvedError && { unresolvedError }),
    };
  });
}

function emptySegment(): Segment {
  return {
    users: [],
    rules: [],
    plans: new Map(),
    files: new Map(),
    errors: new Map(),
    calls: new Map(),
    blocks: [],
  };
}

function addBlock(recorded: RecordedBlock, segment: Segment): void {
  const { block, key, text } = recorded;
  const { users, rules, files, calls, blocks } = segment;
  blocks.push(recorded);
  if (isBlock(block, "text") && isRulesText(block.text)) rules.push(recorded);
  else if (recorded.isUserWord) users.push(recorded);
  if (isBlock(block, "tool_use")) calls.set(block.id, { call: readToolCall(block), key });
  if (isBlock(block, "tool_result")) addResult(recorded, segment);
  for (const [path, namedBy] of files) if (text.includes(path)) namedBy.push(key);
}

/** A call counts once its result is there. */
function addResult(recorded: RecordedBlock, { calls, plans, files, errors, blocks }: Segment): void {
  const { block } = recorded;
  const settled = isBlock(block, "tool_result") ? calls.get(block.tool_use_id) : undefined;
  if (!settled || !isBlock(block, "tool_result")) return;
  const { call, key } = settled;
  const target = `${call.tool} ${call.key}`;
  errors.delete(target);
  if (block.is_error) {
    errors.set(target, recorded);
    return;
  }
  const open = openOf(call);
  if (open !== null) {
    const before = plans.get(call.purpose);
    const earlier = before ? [...before.earlier, before.key] : [];
    plans.set(call.purpose, { key, open, earlier });
  }
  if (call.purpose === "file" && call.action !== "read" && !files.has(call.path)) {
    const naming = blocks.filter(({ text }) => text.includes(call.path));
    files.set(
      call.path,
      naming.map((one) => one.key),
    );
  }
}

/** The open items of a plan or a list of to-dos; `null` for calls that are neither. */
function openOf(call: ToolCall): readonly string[] | null {
  if (call.purpose === "plan") return call.text === undefined ? null : [call.text];
  if (call.purpose !== "todos" || call.change.manner !== "replace") return null;
  return call.change.todos
    .filter(({ status }) => status === "pending" || status === "in_progress")
    .map(({ content }) => content);
}

const attachedRules = /^\s*<attachment type="(?:nested_memory|memory|rules|claude_md|agents_md)[^"]*"/;
const remindedRules = /^\s*<system-reminder>[\s\S]{0,600}\b(?:CLAUDE|AGENTS|GEMINI)\.md\b/;

/** Whether a text is a rules file as a harness puts it into the conversation. */
export function isRulesText(text: string): boolean {
  return attachedRules.test(text) || remindedRules.test(text);
}
