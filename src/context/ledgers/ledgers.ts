import type { Ledgers, MessageEntry, ToolResultBlock } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";
import { roleOf } from "../projection/message-items.ts";
import { boundedText } from "./bounded-text.ts";
import { sharedList, sharedMap } from "./copy-on-write.ts";
import { touchedFile } from "./file-record.ts";
import { emptyLedgers, type LedgerSnapshot } from "./ledger-snapshot.ts";
import { approvedPlanRecord, attachedPlanRecord } from "./plan-record.ts";
import { changedTodos } from "./todo-change.ts";
import { readToolCall, type ToolCall } from "./tool-call.ts";
import { blocksOf, contentText, userWords } from "./user-words.ts";

/** How much the ledgers keep of what could grow without limit. User messages and files are never left out. */
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

type Place = Pick<MessageEntry, "seq" | "at"> & { readonly toolUseId: string };

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
  let { olderCommands, todos, plan, olderErrors } = start;

  function settle(result: ToolResultBlock, { seq, at }: MessageEntry): void {
    const call = calls.value.get(result.tool_use_id);
    if (!call) return;
    calls.own().delete(result.tool_use_id);
    const place = { seq, at, toolUseId: result.tool_use_id };
    const failed = result.is_error === true;
    const text = contentText(result.content);
    if (call.purpose === "command") addCommand(call.command, failed, place);
    if (failed) addError(call, text, place);
    else succeed(call, text, place);
  }

  function succeed(call: ToolCall, text: string, place: Place): void {
    const errorKey = errorKeyOf(call);
    if (errors.value.has(errorKey)) errors.own().delete(errorKey);
    if (call.purpose === "file") {
      const { action, path, range } = call;
      const record = touchedFile(files.value.get(path), { action, path, ...(range && { range }), ...place });
      files.own().delete(path);
      files.own().set(path, record);
    } else if (call.purpose === "todos") todos = changedTodos(todos, call.change, text);
    else if (call.purpose === "plan") plan = approvedPlanRecord(call, text) ?? plan;
  }

  function addCommand(command: string, failed: boolean, { seq, toolUseId }: Place): void {
    const list = commands.own();
    list.push({ toolUseId, seq, command: boundedText(command, maxCommandLength), failed });
    if (list.length <= maxCommands) return;
    list.shift();
    olderCommands += 1;
  }

  function addError(call: ToolCall, text: string, { seq, toolUseId }: Place): void {
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

  return {
    add(entry) {
      const { message, id, seq } = entry;
      if (roleOf(message) === null) return;
      if (message.type === "attachment") {
        plan = attachedPlanRecord(message) ?? plan;
        return;
      }
      const text = userWords(message);
      if (text !== null) userMessages.own().push({ entry: id, seq, text });
      for (const block of blocksOf(message)) {
        if (message.type === "assistant" && isBlock(block, "tool_use")) {
          calls.own().set(block.id, readToolCall(block));
        } else if (message.type === "user" && isBlock(block, "tool_result")) settle(block, entry);
      }
    },
    ledgers: () => ({
      userMessages: userMessages.value,
      files: files.value,
      commands: commands.value,
      olderCommands,
      todos,
      ...(plan && { plan }),
      unresolvedErrors: [...errors.value.values()],
      olderErrors,
    }),
    snapshot: () => ({
      userMessages: userMessages.share(),
      files: files.share(),
      commands: commands.share(),
      olderCommands,
      todos,
      plan,
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
