import {
  type ContentBlock,
  type Entry,
  isBlock,
  type Message,
  type ToolUseBlock,
  type ViewItem,
} from "../../spec/index.ts";
import { roleOf } from "../../view/projection/message-items.ts";
import { blockFault } from "../../view/projection/valid-entry.ts";
import { repeatedId, toRequestId } from "../../view/request/request-ids.ts";
import { promptTokens } from "../../view/tokens/index.ts";

/**
 * Tells calls apart where a server gives several of them one id, as one does that counts anew in every answer. Each call
 * of the log has an id of its own, so that results, ledgers and decisions that name it mean no other.
 */
export interface CallIds {
  /** Takes note of an entry that was appended. */
  see(entry: Entry): void;
  /**
   * The answer with other ids for its calls, where live calls of earlier answers have theirs, in the view or not; what
   * the server called them stands beside them. An id twice in one answer stays twice.
   */
  distinct(message: Message, view: CallsInView): Message;
  /** A second one that goes on from here by itself. */
  copy(): CallIds;
}

/** The newest calls in view. */
interface CallsInView {
  readonly items: readonly ViewItem[];
  /** The message an item comes from. */
  messageOf(entry: string): Message | undefined;
  isLive(seq: number): boolean;
  readonly lastSeq: number;
}

/** So many ids are remembered; one that comes again counts as new. */
const maxRememberedCalls = 65_536;

export function createCallIds(start: ReadonlyMap<string, number> = new Map()): CallIds {
  /** By id as requests have it, the newest entry that calls with it. Copied where a fork begins, once either goes on. */
  let seqs = start;
  let owned: Map<string, number> | null = null;

  function own(): Map<string, number> {
    owned ??= new Map(seqs);
    seqs = owned;
    return owned;
  }

  return {
    copy() {
      owned = null;
      return createCallIds(seqs);
    },
    see(entry) {
      if (entry.kind !== "message" || entry.message.type !== "assistant") return;
      if (roleOf(entry.message) === null) return;
      for (const { id } of callsIn(entry.message)) {
        const key = toRequestId(id);
        const known = own();
        known.delete(key);
        known.set(key, entry.seq);
        const [oldest] = known.size > maxRememberedCalls ? known.keys() : [];
        if (oldest !== undefined) known.delete(oldest);
      }
    },
    distinct(message, view) {
      const { type, content } = message;
      if (type !== "assistant" || typeof content === "string" || roleOf(message) === null) return message;
      const isTaken = (id: string) => {
        const seq = seqs.get(toRequestId(id));
        return seq !== undefined && view.isLive(seq);
      };
      const answer = callsOfAnswer(view);
      const names = new Map<string, string>();
      for (const { id } of callsIn(message)) {
        if (names.has(id) || !isTaken(id)) continue;
        const same = answer.find(({ given }) => toRequestId(given) === toRequestId(id));
        let name = same?.id ?? repeatedId(id, view.lastSeq);
        for (let salt = 1; !same && isTaken(name); salt += 1)
          name = repeatedId(`${id}#${salt}`, view.lastSeq);
        if (name !== id) names.set(id, name);
      }
      if (names.size === 0) return message;
      return { ...message, content: withCallIds(content, names), givenIds: serverIds(names) };
    },
  };
}

/** Blocks whose calls have other ids. */
export function withCallIds(
  content: readonly ContentBlock[],
  names: ReadonlyMap<string, string>,
): readonly ContentBlock[] {
  return content.map((block) => {
    const name = isCall(block) ? names.get(block.id) : undefined;
    return name === undefined ? block : { ...block, id: name };
  });
}

const serverIds = (names: ReadonlyMap<string, string>) =>
  Object.fromEntries([...names].map(([given, name]) => [name, given]));

/** The id that the server gave a call of the log. */
function serverIdOf(id: string, message: Message | undefined): string {
  const { givenIds: ids } = message ?? {};
  const given: unknown = ids && Object.hasOwn(ids, id) ? ids[id] : undefined;
  return typeof given === "string" ? given : id;
}

/** The calls of the answer that the view ends with, which may have come in parts. */
function callsOfAnswer({ items, messageOf }: CallsInView): readonly { id: string; given: string }[] {
  const calls: { id: string; given: string }[] = [];
  for (let at = items.length - 1; items[at]?.role === "assistant"; at -= 1) {
    const { block, entry } = items[at] as ViewItem;
    if (isBlock(block, "tool_use"))
      calls.push({ id: block.id, given: serverIdOf(block.id, messageOf(entry)) });
  }
  return calls;
}

function callsIn({ content }: Message): readonly ToolUseBlock[] {
  /** A text that is a large value is a reference here. */
  return Array.isArray(content) ? (content as readonly ContentBlock[]).filter(isCall) : [];
}

const isCall = (block: ContentBlock): block is ToolUseBlock =>
  blockFault(block) === null && isBlock(block, "tool_use");

/**
 * A message whose results and files name their calls as the log does, also where the caller names them as requests do, or
 * as the server did whose ids came again.
 */
export function withOriginalIds(message: Message, view: Pick<CallsInView, "items" | "messageOf">): Message {
  const { type, content, files } = message;
  if (type !== "user" || typeof content === "string") return message;
  const names = new Map<string, string>();
  for (const block of content) {
    if (!isBlock(block, "tool_result") || names.has(block.tool_use_id)) continue;
    const id = originalId(block.tool_use_id, view);
    if (id !== block.tool_use_id) names.set(block.tool_use_id, id);
  }
  if (names.size === 0) return message;
  const named = content.map((block) =>
    isBlock(block, "tool_result")
      ? { ...block, tool_use_id: names.get(block.tool_use_id) ?? block.tool_use_id }
      : block,
  );
  const stamps = files?.map((file) => ({ ...file, toolUseId: names.get(file.toolUseId) ?? file.toolUseId }));
  return { ...message, content: named, ...(stamps && { files: stamps }) };
}

/** Looks through the newest calls: nobody else's result can come now. */
function originalId(id: string, { items, messageOf }: Pick<CallsInView, "items" | "messageOf">): string {
  let hasCalls = false;
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const { role, block, entry } = items[at] as ViewItem;
    if (hasCalls && role === "user" && !isBlock(block, "tool_result")) break;
    if (!isBlock(block, "tool_use")) continue;
    hasCalls = true;
    const given = serverIdOf(block.id, messageOf(entry));
    if ([block.id, toRequestId(block.id), given, toRequestId(given)].includes(id)) return block.id;
  }
  return id;
}

/** Tells responses apart where a server gives them all one id. */
export interface ResponseIds {
  /** Takes note of an entry that was appended. */
  see(entry: Entry): void;
  /** The id to store a message with: none where it is another response than the one that had the id last. */
  idFor(message: Message): string | undefined;
  /** A second one that goes on from here by itself. */
  copy(): ResponseIds;
}

interface Response {
  readonly id: string;
  prompt: number | undefined;
  hasStopped: boolean;
  /** Something of the user came behind it. */
  isAnswered: boolean;
}

/** So many ids of earlier responses are remembered. */
const maxRememberedResponses = 4_096;

export function createResponseIds(
  start: Response | null = null,
  earlier: Iterable<string> = [],
): ResponseIds {
  let newest = start && { ...start };
  /** Of responses before the newest one, oldest first. */
  const former = new Set(earlier);

  function leave({ id }: Response): void {
    former.delete(id);
    former.add(id);
    for (const oldest of former) {
      if (former.size <= maxRememberedResponses) break;
      former.delete(oldest);
    }
  }

  return {
    copy: () => createResponseIds(newest, former),
    see(entry) {
      if (entry.kind !== "message" || roleOf(entry.message) === null) return;
      const { type, responseId: id, stopReason, usage, content } = entry.message;
      if (type !== "assistant") {
        if (newest) newest.isAnswered = true;
        const isWord = typeof content === "string" || !content.some((block) => isBlock(block, "tool_result"));
        if (newest && isWord) newest.hasStopped = true;
        return;
      }
      if (newest && newest.id !== id) leave(newest);
      if (id === undefined) newest = null;
      else if (newest?.id !== id) newest = { id, prompt: undefined, hasStopped: false, isAnswered: false };
      if (!newest) return;
      newest.hasStopped ||= typeof stopReason === "string";
      newest.prompt ??= usage && promptTokens(usage);
    },
    idFor({ responseId: id, usage }) {
      if (id !== undefined && newest?.id !== id) return former.has(id) ? undefined : id;
      if (id === undefined || !newest?.isAnswered) return id;
      const isOther =
        usage && newest.prompt !== undefined ? promptTokens(usage) !== newest.prompt : newest.hasStopped;
      return isOther ? undefined : id;
    },
  };
}
