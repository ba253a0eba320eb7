import {
  type Clock,
  type Entry,
  type EntryDraft,
  type EntryLocation,
  fail,
  type Ids,
  ok,
  type Result,
} from "../spec/index.ts";
import { encodeEntry, formatVersion } from "./codec.ts";

export interface EncodedEntry {
  readonly entry: Entry;
  readonly line: Buffer;
}

/** Numbers entries and makes lines of them, one after another. */
export interface EntryEncoder {
  /** All of them or none: numbers are not used up by what cannot be written. */
  encode(drafts: readonly EntryDraft[]): Result<readonly EncodedEntry[]>;
}

interface EntryParts {
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface EntryEncoderOptions extends EntryParts {
  /** Of the log as it is. */
  readonly lastSeq: number;
  /** Of whoever writes now. */
  readonly epoch: () => number;
}

/** Id prefixes by kind, so that an id says what it names. */
const prefixes = { session: "ent", message: "msg", decision: "dec", note: "note" } as const;

/** Gives a draft what it has not brought along. */
export function completeEntry(
  draft: EntryDraft,
  head: Pick<Entry, "seq" | "epoch">,
  { clock, ids }: EntryParts,
): Entry {
  const { seq, epoch } = head;
  const { id = ids.next(prefixes[draft.kind]), at = new Date(clock.now()).toISOString(), ...body } = draft;
  return { v: formatVersion, seq, epoch, id, at, ...body } as Entry;
}

export function createEntryEncoder(options: EntryEncoderOptions): EntryEncoder {
  let { lastSeq } = options;
  return {
    encode(drafts) {
      let seq = lastSeq;
      try {
        const encoded = drafts.map((draft) => {
          seq += 1;
          const entry = completeEntry(draft, { seq, epoch: options.epoch() }, options);
          return { entry, line: encodeEntry(entry) };
        });
        lastSeq = seq;
        return ok(encoded);
      } catch (cause) {
        return fail("invalid-input", "An entry cannot be written as JSON.", {
          cause,
          fix: "Remove cycles and BigInts from it.",
        });
      }
    },
  };
}

export function linesOf(encoded: readonly EncodedEntry[]): Buffer {
  const [first] = encoded;
  return first && encoded.length === 1 ? first.line : Buffer.concat(encoded.map(({ line }) => line));
}

/** Where each stands, if the first stands at `place`. */
export function placesOf(
  encoded: readonly EncodedEntry[],
  place: EntryLocation,
): readonly { readonly entry: Entry; readonly place: EntryLocation }[] {
  let next = place;
  return encoded.map(({ entry, line }) => {
    const at = next;
    next += line.length;
    return { entry, place: at };
  });
}
