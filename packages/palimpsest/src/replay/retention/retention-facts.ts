import { createOrders, readToolCall, sentencesOf, type ToolCall } from "@palimpsest/core/internal";
import { isBlock } from "@palimpsest/core/spec";
import { entryOfKey, type RecordedBlock, recordedBlocks } from "../grounding/recorded-blocks.ts";
import type { RecordedRequest, RecordedSession } from "../recorded-session.ts";

/** What should still be known when a request is made, whether or not its response needs it: all of it since the session began. */
export interface RetentionFacts {
  readonly userMessages: readonly RecordedBlock[];
  readonly rules: readonly RecordedBlock[];
  readonly answers: readonly AnswerFact[];
  /** The user's standing orders in force. */
  readonly orders: readonly OrderFact[];
  /** The newest plan and the newest list of to-dos. */
  readonly plans: readonly PlanFact[];
  readonly writtenFiles: readonly FileFact[];
  readonly unresolvedError?: RecordedBlock;
}

/** What the agent told the user when a turn ended. */
export interface AnswerFact {
  /** The blocks of its text. */
  readonly blocks: readonly RecordedBlock[];
  /** Those that say something; never empty. */
  readonly sentences: readonly string[];
}

/** A sentence of the user's that binds until they revoke it. */
export interface OrderFact {
  /** The text of the message that it stands in. */
  readonly keys: readonly string[];
  readonly text: string;
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

/** Everything that is known so far. */
interface KnownFacts {
  readonly users: RecordedBlock[];
  readonly rules: RecordedBlock[];
  readonly answers: AnswerFact[];
  orders: readonly OrderFact[];
  readonly plans: Map<string, PlanFact>;
  readonly files: Map<string, string[]>;
  readonly errors: Map<string, RecordedBlock>;
  readonly calls: Map<string, { readonly call: ToolCall; readonly key: string }>;
  readonly blocks: RecordedBlock[];
}

/** For each request of a session. */
export function findRetentionFacts(session: RecordedSession): readonly RetentionFacts[] {
  const blocks = recordedBlocks(session);
  const hearOrders = createOrderReader();
  const known = nothingKnown();
  let next = 0;
  return session.requests.map((request) => {
    const from = next;
    while (next < blocks.length && (blocks[next] as RecordedBlock).request <= request.index) next += 1;
    const added = blocks.slice(from, next);
    for (const block of added) addBlock(block, known);
    const former = session.requests[request.index - 1];
    const answer = former && answerOf(former, added);
    if (answer) known.answers.push(answer);
    known.orders = hearOrders(added);
    const unresolvedError = [...known.errors.values()].at(-1);
    return {
      userMessages: [...known.users],
      rules: [...known.rules],
      answers: [...known.answers],
      orders: known.orders,
      plans: [...known.plans.values()],
      writtenFiles: [...known.files].map(([path, namedBy]) => ({ path, namedBy })),
      ...(unresolvedError && { unresolvedError }),
    };
  });
}

function nothingKnown(): KnownFacts {
  return {
    users: [],
    rules: [],
    answers: [],
    orders: [],
    plans: new Map(),
    files: new Map(),
    errors: new Map(),
    calls: new Map(),
    blocks: [],
  };
}

const minAnswerChars = 200;
const minSentenceChars = 30;

/** The text of a response that called nothing, if there is enough of it. `blocks`: those that came since it was asked for. */
function answerOf({ response }: RecordedRequest, blocks: readonly RecordedBlock[]): AnswerFact | null {
  if (response.content.some((block) => isBlock(block, "tool_use"))) return null;
  const own = blocks.filter(({ key, block }) => entryOfKey(key) === response.id && isBlock(block, "text"));
  const text = own.map((one) => one.text).join("\n");
  const sentences = sentencesOf(text).filter((sentence) => sentence.length >= minSentenceChars);
  return text.trim().length < minAnswerChars || sentences.length === 0 ? null : { blocks: own, sentences };
}

/** Reads blocks as they come, and gives the orders in force by then: the very same list where nothing was said. */
function createOrderReader(): (blocks: readonly RecordedBlock[]) => readonly OrderFact[] {
  const ledger = createOrders();
  const keysOf = new Map<string, string[]>();
  let inForce: readonly OrderFact[] = [];
  return (blocks) => {
    const messages = new Map<string, RecordedBlock[]>();
    for (const block of blocks) {
      const entry = entryOfKey(block.key);
      if (block.words !== undefined) messages.set(entry, [...(messages.get(entry) ?? []), block]);
    }
    for (const [entry, own] of messages) {
      keysOf.set(
        entry,
        own.map(({ key }) => key),
      );
      ledger.say(entry, own[0]?.request ?? 0, own.map(({ words }) => words).join("\n"));
    }
    if (messages.size === 0) return inForce;
    const newest = new Map(ledger.records.map((order) => [order.text, order]));
    inForce = [...newest.values()]
      .filter(({ revokedBy }) => revokedBy === undefined)
      .map(({ entry, text }) => ({ keys: keysOf.get(entry) ?? [], text }));
    return inForce;
  };
}

function addBlock(recorded: RecordedBlock, known: KnownFacts): void {
  const { block, key, text } = recorded;
  const { users, rules, files, calls, blocks } = known;
  blocks.push(recorded);
  if (isBlock(block, "text") && isRulesText(block.text)) rules.push(recorded);
  else if (recorded.words !== undefined) users.push({ ...recorded, text: recorded.words });
  if (isBlock(block, "tool_use")) calls.set(block.id, { call: readToolCall(block), key });
  if (isBlock(block, "tool_result")) addResult(recorded, known);
  for (const [path, namedBy] of files) if (text.includes(path)) namedBy.push(key);
}

/** A call counts once its result is there. */
function addResult(recorded: RecordedBlock, { calls, plans, files, errors, blocks }: KnownFacts): void {
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
