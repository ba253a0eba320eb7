import { type Entry, isBlock, type Message } from "../../spec/index.ts";
import { roleOf } from "../../view/projection/message-items.ts";
import { promptTokens } from "../../view/tokens/index.ts";

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
const rememberedIds = 4_096;

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
      if (former.size <= rememberedIds) break;
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
