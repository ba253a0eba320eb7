import { fail, type Session, type Usage } from "../../spec/index.ts";
import { blockKey, valueKey } from "./block-key.ts";
import type { ForeignForm } from "./foreign-form.ts";
import { giveBack, type KnownMessage } from "./give-back.ts";

export type BridgedSession = Pick<Session, "add" | "prepare" | "rewind">;

/** What the library knows of an answer before its message comes back in the next call. */
export interface Answer {
  readonly usage?: Usage;
  readonly id?: string;
  readonly model?: string;
}

/** Between the messages of another library and a session. */
export interface Bridge<Message> {
  /**
   * Takes what is new of a conversation into the session, and gives what to send in its place. A conversation that
   * begins like the one before and goes on otherwise rewinds the session to where they part.
   */
  exchange(messages: readonly Message[]): Promise<readonly Message[]>;
  /** The answer to what was exchanged last. */
  answered(answer: Answer): void;
}

interface Taken<Message, Part> extends KnownMessage<Message, Part> {
  readonly key: string;
  readonly entry: string;
}

export function createBridge<Message, Part>(
  session: BridgedSession,
  form: ForeignForm<Message, Part>,
): Bridge<Message> {
  let taken: Taken<Message, Part>[] = [];
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
