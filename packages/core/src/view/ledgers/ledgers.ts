import { isRecord, parseJson, textField } from "../../json/json-values.ts";
import {
  type FileAction,
  type FileRange,
  type FileRecord,
  isBlock,
  type Ledgers,
  type Message,
  type MessageEntry,
  type PlanRecord,
  type ToolResultBlock,
} from "../../spec/index.ts";
import { mainArgument } from "../clearing/clear-label.ts";
import { createIntents } from "../intents/intents.ts";
import { createOrders } from "../intents/standing-orders.ts";
import { roleOf } from "../projection/message-items.ts";
import { createAnswers } from "./answer-ledger.ts";
import {
  blocksOf,
  boundedText,
  contentText,
  createNamedFiles,
  isInterruption,
  sharedList,
  sharedMap,
  userWords,
} from "./ledger-parts.ts";
import { emptyLedgers, type LedgerSnapshot } from "./ledger-snapshot.ts";
import { changedTodos, readToolCall, type ToolCall, type ToolPurpose } from "./tool-call.ts";

/** How much the ledgers keep of what could grow without limit. User messages and files touched are never left out. */
export const maxCommands = 200;
export const maxErrors = 50;
export const maxCommandLength = 2_000;
export const maxErrorLength = 600;

/** The ledgers, kept up to date entry by entry. */
export interface LedgerWriter {
  /** Takes the next live entry, with its large values inline. Costs what is new, whatever went before. */
  add(entry: MessageEntry): void;
  /** Valid until the next entry is added. */
  ledgers(): Ledgers;
  /** Costs nothing now; the next change of each ledger copies the references it holds, once. */
  snapshot(): LedgerSnapshot;
}

type Location = Pick<MessageEntry, "seq" | "at"> & { readonly entry: string; readonly toolUseId: string };

/** How results begin that a user broke off: of this package and of Claude Code. */
const interrupted = /^(?:Interrupted by the user|\[Request interrupted by user)/;
/** The subtypes of attachments that bring a plan. */
const planAttachments: ReadonlySet<string> = new Set(["plan", "plan_file_reference"]);
/** Why a response ended that does not end a turn well. */
const brokenStops: ReadonlySet<string> = new Set(["max_tokens", "refusal", "model_context_window_exceeded"]);

/**
 * Begins with nothing, or where a snapshot was taken. A call counts once its result is there; one that failed leaves
 * an error and nothing else, but for commands, which are recorded either way.
 */
export function createLedgers(start: LedgerSnapshot = emptyLedgers): LedgerWriter {
  const userMessages = sharedList(start.userMessages);
  const files = sharedMap(start.files);
  const commands = sharedList(start.commands);
  const errors = sharedMap(start.errors);
  const calls = sharedMap(start.calls);
  const intents = createIntents(start.intents);
  const orders = createOrders(start.orders);
  const answers = createAnswers(start.answers);
  const named = createNamedFiles(start.named);
  let { olderCommands, todos, todosRequest, plan, planRequest, olderErrors } = start;

  function settle(result: ToolResultBlock, { id: entry, seq, at }: MessageEntry): void {
    const call = calls.value.get(result.tool_use_id);
    if (!call) return;
    calls.own().delete(result.tool_use_id);
    const location = { entry, seq, at, toolUseId: result.tool_use_id };
    const failed = result.is_error === true;
    const text = contentText(result.content);
    named.read(text);
    named.next();
    if (call.purpose === "command") {
      addCommand(call.command, failed, location);
      intents.run(call.command, failed);
    }
    if (failed && interrupted.test(text)) intents.interrupt();
    if (failed) addError(call, text, location);
    else succeed(call, text, location);
  }

  function succeed(call: ToolCall, text: string, location: Location): void {
    const errorKey = errorKeyOf(call);
    if (errors.value.has(errorKey)) errors.own().delete(errorKey);
    if (call.purpose === "file") {
      const { action, path, range } = call;
      const { entry: _entry, ...rest } = location;
      const record = touchedFile(files.value.get(path), { action, path, ...(range && { range }), ...rest });
      if (action !== "read") intents.change();
      files.own().delete(path);
      files.own().set(path, record);
    } else if (call.purpose === "todos") {
      todos = changedTodos(todos, call.change, text);
      todosRequest = intents.newestRequest;
      intents.list(location.entry, todos);
    } else if (call.purpose === "plan") setPlan(approvedPlanRecord(call, text));
  }

  function setPlan(made: PlanRecord | null): void {
    if (made === null) return;
    if (made.text !== plan?.text) planRequest = intents.newestRequest;
    plan = made;
  }

  function addCommand(command: string, failed: boolean, { seq, toolUseId }: Location): void {
    const list = commands.own();
    list.push({ toolUseId, seq, command: boundedText(command, maxCommandLength), failed });
    if (list.length <= maxCommands) return;
    list.shift();
    olderCommands += 1;
  }

  function addError(call: ToolCall, text: string, { seq, toolUseId }: Location): void {
    const target = targetOf(call);
    const map = errors.own();
    const key = errorKeyOf(call);
    map.delete(key);
    map.set(key, {
      toolUseId,
      seq,
      tool: call.tool,
      ...(target !== undefined && { target: boundedText(target, maxErrorLength) }),
      text: boundedText(text, maxErrorLength),
    });
    const [oldest] = map.size > maxErrors ? map.keys() : [];
    if (oldest === undefined) return;
    map.delete(oldest);
    olderErrors += 1;
  }

  function hear({ message, id, seq }: MessageEntry, response: string): void {
    const text = contentText(message.content);
    const isBroken = message.isApiErrorMessage === true || brokenStops.has(message.stopReason ?? "");
    const hasCalls = blocksOf(message).some((block) => isBlock(block, "tool_use"));
    const isEnd = message.stopReason === "end_turn";
    intents.answer({ entry: id, response, text, isBroken, isEnd, hasCalls });
    if (message.isApiErrorMessage !== true)
      answers.speak({ entry: id, seq, text, response: message.responseId, hasCalls });
  }

  return {
    add(entry) {
      const { message, id, seq } = entry;
      if (roleOf(message) === null) return;
      if (message.type === "attachment") {
        setPlan(attachedPlanRecord(message));
        return;
      }
      if (isInterruption(message)) intents.interrupt();
      const text = userWords(message);
      if (text !== null) {
        userMessages.own().push({ entry: id, seq, text });
        answers.reply(id, seq, text);
        const { isStanding, asked } = orders.say(id, seq, text);
        intents.say(id, seq, text, isStanding, asked);
      }
      const response = message.responseId ?? id;
      if (message.type === "assistant") hear(entry, response);
      else answers.end();
      for (const block of blocksOf(message)) {
        if (message.type === "assistant" && isBlock(block, "tool_use")) {
          calls.own().set(block.id, readToolCall(block));
          named.read(mainArgument(block.input));
          intents.call(response);
        } else if (message.type === "user" && isBlock(block, "tool_result")) settle(block, entry);
      }
    },
    ledgers: () => ({
      userMessages: userMessages.value,
      intents: intents.records,
      orders: orders.records,
      answers: answers.answers,
      findings: answers.findings,
      files: files.value,
      namedFiles: named.files,
      commands: commands.value,
      olderCommands,
      todos,
      ...(todosRequest !== undefined && { todosRequest }),
      ...(plan && { plan }),
      ...(planRequest !== undefined && { planRequest }),
      unresolvedErrors: [...errors.value.values()],
      olderErrors,
    }),
    snapshot: () => ({
      userMessages: userMessages.share(),
      intents: intents.snapshot(),
      orders: orders.snapshot(),
      answers: answers.snapshot(),
      files: files.share(),
      named: named.snapshot(),
      commands: commands.share(),
      olderCommands,
      todos,
      todosRequest,
      plan,
      planRequest,
      errors: errors.share(),
      olderErrors,
      calls: calls.share(),
    }),
  };
}

function errorKeyOf({ tool, key }: ToolCall): string {
  return `${tool} ${key}`;
}

function targetOf(call: ToolCall): string | undefined {
  if (call.purpose === "file") return call.path;
  return call.purpose === "command" ? call.command : undefined;
}

/** One successful action on a file. */
interface FileTouch {
  readonly action: FileAction;
  readonly path: string;
  readonly range?: FileRange;
  readonly at: string;
  readonly seq: number;
  readonly toolUseId: string;
}

/** A file's record after an action: an edit leaves known what was known of it, a read or a write says it anew. */
function touchedFile(known: FileRecord | undefined, touch: FileTouch): FileRecord {
  const { action, path, at, seq, toolUseId } = touch;
  const range = action === "edited" ? known?.range : touch.range;
  const readSeq = action === "read" ? seq : known?.readSeq;
  const writtenSeq = action === "written" ? seq : known?.writtenSeq;
  const editedSeq = action === "edited" ? seq : known?.editedSeq;
  return {
    path,
    lastAction: action,
    at,
    seq,
    toolUseId,
    ...(range && { range }),
    ...(readSeq !== undefined && { readSeq }),
    ...(writtenSeq !== undefined && { writtenSeq }),
    ...(editedSeq !== undefined && { editedSeq }),
    changedSinceRead: action !== "read" && readSeq !== undefined,
  };
}

/** The heading Claude Code writes into the result where it read the plan from a file. */
const approvedPlan = "## Approved Plan:\n";
/** How Claude Code's tool says where the plan is, and how ours does. */
const savedTo = /^(?:Your plan has been saved to|The plan is saved in): (.+)$/m;

/** The plan that a call left plan mode with, from its input, else from its result; `null` where neither has it. */
function approvedPlanRecord(
  call: Extract<ToolPurpose, { readonly purpose: "plan" }>,
  result: string,
): PlanRecord | null {
  const at = result.indexOf(approvedPlan);
  const text = call.text ?? (at === -1 ? undefined : result.slice(at + approvedPlan.length));
  const path = call.path ?? savedTo.exec(result)?.[1];
  return text === undefined ? null : toPlan(text, path);
}

/** The plan that an attachment brings: its text, or what Claude Code's JSON about a plan file says. */
function attachedPlanRecord(message: Message): PlanRecord | null {
  if (!planAttachments.has(message.subtype ?? "")) return null;
  const text = contentText(message.content);
  const reference = text.startsWith("{") ? parseJson(text) : undefined;
  const plan = isRecord(reference) ? textField(reference, "planContent") : undefined;
  if (isRecord(reference) && plan !== undefined) return toPlan(plan, textField(reference, "planFilePath"));
  return text.trim() === "" ? null : { text };
}

function toPlan(text: string, path: string | undefined): PlanRecord {
  return { text, ...(path !== undefined && { path }) };
}
