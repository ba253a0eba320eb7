import type { ContentBlock, RequestMessage, Role } from "../../spec/index.ts";
import { blockKey } from "./block-key.ts";
import type { ForeignForm, Piece, ReadMessage } from "./foreign-form.ts";

/** A message as it came, with what it became. */
export interface KnownMessage<Message, Part> {
  readonly message: Message;
  readonly read: ReadMessage<Part>;
  readonly keys: readonly string[];
}

interface SentBlock {
  readonly role: Role;
  readonly block: ContentBlock;
  readonly key: string;
  readonly isBreakpoint: boolean;
}

/**
 * What a session sends, in the form of the library it came from: a message none of whose blocks has changed is the very
 * message that came, so that what is not touched loses nothing.
 */
export function giveBack<Message, Part>(
  sent: readonly RequestMessage[],
  known: readonly KnownMessage<Message, Part>[],
  form: ForeignForm<Message, Part>,
): readonly Message[] {
  const blocks = sent.flatMap(toBlocks);
  const byFirst = new Map<string, KnownMessage<Message, Part>[]>();
  for (const one of known) {
    const first = `${one.read.role} ${one.keys[0]}`;
    byFirst.set(first, [...(byFirst.get(first) ?? []), one]);
  }
  const parts = new Map(
    known.flatMap(({ keys, read }) => keys.map((key, at) => [key, read.parts[at] as Part] as const)),
  );
  const messages: Message[] = [];
  let changed: SentBlock[] = [];

  function settleChanged(): void {
    for (const run of runsOfOneRole(changed)) {
      const pieces = run.map(({ block, key, isBreakpoint }): Piece<Part> => {
        const part = parts.get(key);
        return { block, isBreakpoint, ...(part !== undefined && { part }) };
      });
      messages.push(...form.write(run[0]?.role ?? "user", pieces));
    }
    changed = [];
  }

  for (let at = 0; at < blocks.length; ) {
    const block = blocks[at] as SentBlock;
    const whole = byFirst
      .get(`${block.role} ${block.key}`)
      ?.find(({ keys }) => keys.length > 0 && keys.every((key, offset) => blocks[at + offset]?.key === key));
    if (!whole) {
      changed.push(block);
      at += 1;
      continue;
    }
    settleChanged();
    const end = at + whole.keys.length;
    const isMarked = blocks.slice(at, end).some(({ isBreakpoint }) => isBreakpoint);
    messages.push(isMarked ? form.mark(whole.message) : whole.message);
    at = end;
  }
  settleChanged();
  return messages;
}

/** What the engine says in between is told by the user: other libraries have system prompts at the beginning only. */
function toBlocks({ role: said, content }: RequestMessage): readonly SentBlock[] {
  const role = said === "assistant" ? said : "user";
  const blocks: readonly ContentBlock[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  return blocks.map(
    (block): SentBlock => ({ role, block, key: blockKey(block), isBreakpoint: "cache_control" in block }),
  );
}

function runsOfOneRole(blocks: readonly SentBlock[]): readonly (readonly SentBlock[])[] {
  const runs: SentBlock[][] = [];
  for (const block of blocks) {
    const last = runs.at(-1);
    if (last && last[0]?.role === block.role) last.push(block);
    else runs.push([block]);
  }
  return runs;
}
