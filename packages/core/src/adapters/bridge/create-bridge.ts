import {
  type ContentBlock,
  fail,
  type RequestMessage,
  type Role,
  type Session,
  type Usage,
} from "../../spec/index.ts";

type BridgedSession = Pick<Session, "add" | "prepare" | "rewind">;

/** The library's view of an answer before its message comes back in the next call. */
interface Answer {
  readonly usage?: Usage;
  readonly id?: string;
  readonly model?: string;
}

/** Between the messages of another library and a session. */
interface Bridge<Message> {
  /**
   * Takes what is new of a conversation into the session, and gives what to send in its place. A conversation that
   * begins like the one before and goes on otherwise rewinds the session to where they part.
   */
  exchange(messages: readonly Message[]): Promise<readonly Message[]>;
  /** The answer to what was exchanged last. */
  answered(answer: Answer): void;
}

interface TakenMessage<Message, Part> extends KnownMessage<Message, Part> {
  readonly key: string;
  readonly entry: string;
}

export function createBridge<Message, Part>(
  session: BridgedSession,
  form: ForeignForm<Message, Part>,
): Bridge<Message> {
  let taken: TakenMessage<Message, Part>[] = [];
  let answer: Answer | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  async function goBackTo(count: number): Promise<void> {
    const last = taken[count - 1];
    if (!last) {
      throw fail("invalid-input", "This conversation begins otherwise than the one this session has.", {
        fix: "Open a session for each conversation.",
      }).error;
    }
    await session.rewind(last.entry);
    taken = taken.slice(0, count);
    answer = null;
  }

  async function take(message: Message): Promise<void> {
    const read = form.read(message);
    if (!read) return;
    const { role, blocks, usage, id } = read;
    const isAnswer = role === "assistant";
    const known = isAnswer ? { ...answer, ...(usage && { usage }), ...(id && { id }) } : {};
    if (isAnswer) answer = null;
    const entry = await session.add({ role, content: blocks, ...known });
    taken.push({ message, key: valueKey(message), entry: entry.id, read, keys: blocks.map(blockKey) });
  }

  async function exchange(messages: readonly Message[]): Promise<readonly Message[]> {
    const around = messages.filter((message) => form.read(message) === null);
    const spoken = messages.filter((message) => form.read(message) !== null);
    const shared = sharedLength(spoken, taken);
    if (shared < taken.length) await goBackTo(shared);
    for (const message of spoken.slice(shared)) await take(message);
    const { request } = await session.prepare();
    return [...around, ...giveBack(request.messages, taken, form)];
  }

  return {
    exchange(messages) {
      const done = queue.then(() => exchange(messages));
      queue = done.catch(() => undefined);
      return done;
    },
    answered(next) {
      answer = next;
    },
  };
}

function sharedLength<Message>(
  messages: readonly Message[],
  taken: readonly { readonly message: Message; readonly key: string }[],
): number {
  const isSame = (message: Message, at: number) =>
    message === taken[at]?.message || valueKey(message) === taken[at]?.key;
  const differs = messages.findIndex((message, at) => at >= taken.length || !isSame(message, at));
  return differs === -1 ? messages.length : differs;
}

/** A message as it came, with what it became. */
interface KnownMessage<Message, Part> {
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
 * The messages to send, in the form of the library they came from: a message none of whose blocks has changed is the
 * very message that came, so that what is not touched loses nothing.
 */
function giveBack<Message, Part>(
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

/** Texts of the engine in between are the user's: other libraries have system prompts at the beginning only. */
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

/** A message of another library as a session takes it. */
export interface ReadMessage<Part> {
  readonly role: Role;
  readonly blocks: readonly ContentBlock[];
  /** For each block the part it came from, to be given back as it was. */
  readonly parts: readonly Part[];
  /** Of the response that an assistant's message is, where the message itself says. */
  readonly usage?: Usage;
  readonly id?: string;
}

export interface Piece<Part> {
  readonly block: ContentBlock;
  /** The provider's cache should be kept up to here. */
  readonly isBreakpoint: boolean;
  /** Where the block is as it came. */
  readonly part?: Part;
}

/** How another library writes messages. */
export interface ForeignForm<Message, Part> {
  /** `null`: no part of the conversation, as a system prompt is; it stays where it is. */
  read(message: Message): ReadMessage<Part> | null;
  /** Messages for neighbouring blocks of one role that are no longer a message as it came. */
  write(role: Role, pieces: readonly Piece<Part>[]): readonly Message[];
  /** The message as it came, with the mark of a breakpoint at its end; the same one where there is no such mark. */
  mark(message: Message): Message;
}

/** The same text for the same value, in whatever order its fields are; bytes by their content. */
export function valueKey(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (inner instanceof Uint8Array) return { bytes: Buffer.from(inner).toString("base64") };
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** A block's content as a key, without the mark of a breakpoint. */
function blockKey(block: ContentBlock): string {
  const { cache_control: _mark, ...rest } = block as ContentBlock & { readonly cache_control?: unknown };
  return valueKey(rest);
}
