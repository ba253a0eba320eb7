import {
  type ContentBlock,
  type Entry,
  isBlock,
  type Message,
  type ToolUseBlock,
  type ViewItem,
} from "../../spec/index.ts";
import { roleOf } from "../../view/projection/message-items.ts";
import { blockFault } from "../../view/projection/sound-message.ts";
import { repeatedId, toRequestId } from "../../view/request/request-ids.ts";

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

/** What is known of the calls that came last. */
export interface CallsInView {
  readonly items: readonly ViewItem[];
  /** The message an item comes from. */
  messageOf(entry: string): Message | undefined;
  isLive(seq: number): boolean;
  readonly lastSeq: number;
}

/** So many ids are remembered; one that comes again counts as new. */
const rememberedIds = 65_536;

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
        const [oldest] = known.size > rememberedIds ? known.keys() : [];
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
      return { ...message, content: withCallIds(content, names), givenIds: givenIds(names) };
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

const givenIds = (names: ReadonlyMap<string, string>) =>
  Object.fromEntries([...names].map(([given, name]) => [name, given]));

/** The id that the server gave a call of the log. */
export function givenIdOf(id: string, message: Message | undefined): string {
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
      calls.push({ id: block.id, given: givenIdOf(block.id, messageOf(entry)) });
  }
  return calls;
}

function callsIn({ content }: Message): readonly ToolUseBlock[] {
  /** A text that is a large value is a reference here. */
  return Array.isArray(content) ? (content as readonly ContentBlock[]).filter(isCall) : [];
}

const isCall = (block: ContentBlock): block is ToolUseBlock =>
  blockFault(block) === null && isBlock(block, "tool_use");
