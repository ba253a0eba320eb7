import { recall } from "@palimpsest/core/internal";
import type { MemoryLog } from "../session/memory-log.ts";
import { withoutGutters } from "./recorded-blocks.ts";

/** The first page of what Recall gives for an id. */
export interface RecalledText {
  readonly text: string;
  /** Whether the words stand there: as they are, behind line numbers, or with the escapes of JSON. */
  has(words: string): boolean;
}

export interface RecallReader {
  /** `null` where the id names nothing. */
  read(id: string): Promise<RecalledText | null>;
}

interface KnownRecall {
  /** Entries that the id named then. */
  readonly entries: number;
  readonly recalled: RecalledText | null;
}

/** Recalls by the engine's own function over the log of the run, and remembers what it gave. */
export function createRecallReader(log: MemoryLog): RecallReader {
  const known = new Map<string, KnownRecall>();
  return {
    async read(id) {
      const named = log.entriesOf(id);
      const before = known.get(id);
      if (before?.entries === named.length) return before.recalled;
      const read = await recall(log.only(named), id);
      const recalled = read.ok ? toRecalledText(read.value.text) : null;
      known.set(id, { entries: named.length, recalled });
      return recalled;
    },
  };
}

export function toRecalledText(text: string): RecalledText {
  let forms: readonly string[] | undefined;
  return {
    text,
    has(words) {
      if (text.includes(words)) return true;
      forms ??= [withoutGutters(text), withoutGutters(unescapeText(text))];
      return forms.some((form) => form.includes(words));
    },
  };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** The strings of a JSON text as they are without its escapes. */
function unescapeText(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_whole, code?: string, sign?: string) =>
    code === undefined
      ? (escapes[sign as string] ?? (sign as string))
      : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
