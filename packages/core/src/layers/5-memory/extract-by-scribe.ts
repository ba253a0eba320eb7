import type { TaintSource, UserMessageRecord } from "../../spec/index.ts";
import type { MemoryFile } from "./known-memories.ts";
import { extractStatements, type KnownMemory, knownAs, toMemory } from "./rules/index.ts";
import type { MemoryWrite, WriteReport } from "./write-memories.ts";

export interface Found {
  readonly writes: readonly MemoryWrite[];
  readonly skipped: WriteReport["skipped"];
  /** What untrusted was in view, where that is known. */
  readonly because?: readonly TaintSource[];
}

/** What the user has said outright, as memories of their own; what is known already is left as it is. */
export function extractByScribe(
  messages: readonly UserMessageRecord[],
  files: ReadonlyMap<string, MemoryFile>,
  { session, nowMs }: { readonly session: string; readonly nowMs: number },
): Found {
  const known: KnownMemory[] = [...files.values()].flatMap(({ memory }) => memory ?? []);
  const taken = new Set(files.keys());
  const writes: MemoryWrite[] = [];
  const skipped: { readonly what: string; readonly why: string }[] = [];
  const day = new Date(nowMs).toISOString().slice(0, 10);
  for (const statement of extractStatements(messages)) {
    const same = knownAs(statement, known);
    if (same) {
      skipped.push({ what: statement.text, why: `It is known as ${same.path}.` });
      continue;
    }
    const { path, content } = toMemory(statement, { session, taken, day });
    taken.add(path);
    known.push({ path, ...content });
    writes.push({ path, content, expect: 0 });
  }
  return { writes, skipped };
}
