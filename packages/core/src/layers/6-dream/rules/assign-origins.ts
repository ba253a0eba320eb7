import { composeMemory, otherMatter } from "../../../memory/compose-memory.ts";
import { isImperative, isImperativePath, judgeMemory } from "../../../view/trust/index.ts";
import { absoluteDates, dayOf } from "./absolute-dates.ts";
import { isMemoryPath, type MemoryFormat, type ParsedMemory } from "./memory-links.ts";
import { newLines } from "./scribe-dream.ts";
import { fileOf, memoriesOf, type Snapshot } from "./snapshot.ts";

export interface OriginInput {
  readonly id: string;
  readonly before: Snapshot;
  /** Every file as the model has left it, by path. */
  readonly left: ReadonlyMap<string, string>;
  readonly parse: MemoryFormat["parse"];
  readonly nearPercent: number;
}

export interface AssignedOrigins {
  readonly after: ReadonlyMap<string, string>;
  /** Memories that would ask for something which nobody trusted has said. */
  readonly doubtful: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Changes of a model's dream, with their origin as the program knows it and not as the text claims. What repeats
 * trusted memories stays trusted; all else was written in sight of transcripts, which hold words of strangers: it is
 * labelled, and what asks for something waits for a person.
 */
export function assignOrigins({ id, before, left, parse, nearPercent }: OriginInput): AssignedOrigins {
  const known = memoriesOf(before, parse).filter(({ trust }) => trust === "trusted");
  const words = trustedWords(known, before);
  const userMessages = known
    .filter(({ type }) => type === "user" || type === "feedback")
    .map(({ path, description, body }, seq) => ({ entry: path, seq, text: `${description}\n${body}` }));
  const after = new Map(left);
  const doubtful: { path: string; reason: string }[] = [];
  for (const [path, text] of left) {
    const former = fileOf(before, path);
    const memory = former?.text === text || !isMemoryPath(path) ? null : parse(path, text);
    if (memory === null) continue;
    const was = former && parse(path, former.text);
    const isRepeated =
      newLines(words, [memory.description, memory.body].join("\n"), nearPercent).length === 0;
    const isNamed = was?.name === memory.name || !isImperative(memory.name);
    const isPlaced = former !== undefined || !isImperativePath(path);
    const trust = isRepeated && isNamed && isPlaced && was?.trust !== "untrusted" ? "trusted" : "untrusted";
    const origin = was ? { author: was.author, ...originOf(was) } : { author: "dream" as const };
    const composed = composeMemory(path, text, { ...origin, trust });
    const stamped = composed.ok ? composed.value : text;
    after.set(path, stamped);
    if (trust === "trusted") continue;
    const because = [{ kind: "tool", name: "dream", entry: id }] as const;
    const { entries: _entries, ...draft } = { ...memory, more: otherMatter(text) };
    const { verdict, reason } = judgeMemory(draft, { taint: { trust, because }, userMessages });
    if (verdict === "accept") continue;
    if (was) doubtful.push({ path, reason });
    else {
      after.delete(path);
      after.set(`quarantine/${path}`, stamped);
    }
  }
  return { after, doubtful };
}

/** Nobody has confirmed it as it is now. */
function originOf({ session, entries }: ParsedMemory) {
  return { ...(session === undefined ? {} : { session }), ...(entries ? { entries } : {}) };
}

/** Also with their dates as the calendar has them. */
function trustedWords(known: readonly ParsedMemory[], before: Snapshot): string {
  return known
    .flatMap(({ path, description, body }) => {
      const text = `${description}\n${body}`;
      const day = dayOf(fileOf(before, path)?.at ?? "");
      return day === undefined ? [text] : [text, absoluteDates(text, day)];
    })
    .join("\n");
}
