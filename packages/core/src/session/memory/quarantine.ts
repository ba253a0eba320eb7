import { fromQuarantinePath, memoryPathKind, toQuarantinePath } from "../../memory/memory-path.ts";
import { parseMemory } from "../../memory/parse-memory.ts";
import {
  fail,
  type MemoryWritten,
  ok,
  type Result,
  type TreeFile,
  type TreeVersion,
} from "../../spec/index.ts";
import type { IndexKeeper } from "./keep-index.ts";
import type { MemorySurroundings } from "./memory-surroundings.ts";
import { withPresent } from "./with-present.ts";
import { currentMemory, draftMemory } from "./write-memory.ts";

type Around = Pick<MemorySurroundings, "tree" | "clock" | "mask">;

const words = { author: "user", source: "confirm" } as const;

/**
 * A person agrees to a memory: what waits in quarantine takes its place among the others, anything else is marked where
 * it stands. The memory is written before what waited is removed, so that a crash between them loses nothing.
 */
export async function confirmMemory(
  around: Around,
  keeper: IndexKeeper,
  path: string,
): Promise<Result<MemoryWritten>> {
  const { tree } = around;
  const waiting = await find(around, path);
  if (!waiting.ok) return waiting;
  const from = waiting.value.version;
  const parsed = parseMemory(waiting.value.text, from);
  if (!parsed.ok) return parsed;
  const { author, session, entries, trust } = parsed.value;
  const target = fromQuarantinePath(from.path);
  const provenance = { author, session, entries, trust, isConfirmed: true };
  const draft = await draftMemory(around, target, waiting.value.text, provenance);
  if (!draft.ok) return draft;
  const before = await currentMemory(tree, target);
  if (!before.ok) return before;
  const memory = { ...draft.value.memory, author };
  const fits = await keeper.checkChange(target, before.value, memory);
  if (!fits.ok) return fits;
  const expect = target === from.path ? { expect: from.version } : {};
  const written = await tree.write(target, draft.value.text, { ...words, ...expect });
  if (!written.ok) return withPresent(tree, target, written.error);
  if (target !== from.path) {
    const removed = await tree.remove(from.path, { ...words, expect: from.version });
    if (!removed.ok && removed.error.code !== "not-found") return removed;
  }
  const after = { ...memory, version: written.value.version, at: written.value.at };
  await keeper.follow(target, before.value, after, words);
  return ok({ memory: after, version: written.value });
}

/** A person does not agree: it goes from quarantine. Its versions stay in the history. */
export async function rejectMemory({ tree }: Around, path: string): Promise<Result<TreeVersion>> {
  const removed = await tree.remove(toQuarantinePath(path), { author: "user", source: "reject" });
  if (removed.ok || removed.error.code !== "not-found") return removed;
  return fail("not-found", `${fromQuarantinePath(path)} does not wait in quarantine.`, {
    path,
    fix: "“palimpsest memory list --quarantine” shows what does.",
  });
}

async function find({ tree }: Around, path: string): Promise<Result<TreeFile>> {
  const waiting = await tree.read(toQuarantinePath(path));
  if (waiting.ok || waiting.error.code !== "not-found" || memoryPathKind(path) !== "memory") return waiting;
  return tree.read(path);
}
