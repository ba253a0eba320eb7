import { indexLineExcess } from "../../memory/build-index.ts";
import { indexPath, memoryPathKind, toQuarantinePath } from "../../memory/check-memory.ts";
import { composeMemory, otherMatter } from "../../memory/compose-memory.ts";
import { memoryNumbers } from "../../memory/memory-numbers.ts";
import { parseMemory } from "../../memory/parse-memory.ts";
import {
  type FileTree,
  fail,
  type Memory,
  type MemoryJudgement,
  type MemoryProvenance,
  type MemoryWriteOptions,
  type MemoryWritten,
  ok,
  type Result,
} from "../../spec/index.ts";
import { toTreePath } from "../../stores/shared/trees/tree-path.ts";
import type { IndexKeeper } from "./index-keeper.ts";
import { type MemorySurroundings, withPresent } from "./memory-surroundings.ts";

type WriteSurroundings = Pick<MemorySurroundings, "tree" | "clock" | "judge" | "mask">;

/** Writes a memory as a version, in quarantine where it is judged so, and brings the index in step. */
export async function writeMemory(
  around: WriteSurroundings,
  keeper: IndexKeeper,
  path: string,
  text: string,
  options: MemoryWriteOptions,
): Promise<Result<MemoryWritten>> {
  const { tree } = around;
  const drafted = await draftJudged(around, path, text, options);
  if (!drafted.ok) return drafted;
  const { memory, masked, judged } = drafted.value;
  const target = targetOf(memory, judged);
  const before = await currentMemory(tree, target);
  if (!before.ok) return before;
  const fits = await keeper.checkChange(target, before.value, { ...memory, path: target });
  if (!fits.ok) return fits;
  const written = await tree.write(target, drafted.value.text, {
    ...versionWords(options),
    ...(options.expect !== undefined && target === memory.path ? { expect: options.expect } : {}),
  });
  if (!written.ok) return withPresent(tree, target, written.error);
  const after = { ...memory, path: target, version: written.value.version, at: written.value.at };
  await keeper.follow(target, before.value, after, versionWords(options));
  return ok({
    memory: after,
    version: written.value,
    ...(judged.verdict === "quarantine" ? { quarantined: judged.reason } : {}),
    ...(masked > 0 ? { masked } : {}),
  });
}

/** Where a memory goes: what waits for a person stands in quarantine. */
export function targetOf({ path }: Memory, { verdict }: MemoryJudgement): string {
  return verdict === "quarantine" ? toQuarantinePath(path) : path;
}

/** The judge has the last word on the label. */
export async function draftJudged(
  around: Pick<WriteSurroundings, "clock" | "judge" | "mask">,
  path: string,
  text: string,
  options: MemoryWriteOptions,
): Promise<Result<Draft & { readonly judged: MemoryJudgement }>> {
  const drafted = await draftMemory(around, path, text, options);
  if (!drafted.ok || around.judge === undefined)
    return drafted.ok ? ok({ ...drafted.value, judged: { verdict: "accept" } }) : drafted;
  const more = otherMatter(drafted.value.text);
  const judged = await around.judge(
    { ...drafted.value.memory, ...(more !== "" && { more }) },
    options.evidence,
  );
  const { trust = drafted.value.memory.trust } = judged;
  if (trust === drafted.value.memory.trust) return ok({ ...drafted.value, judged });
  const labelled = await draftMemory(around, path, text, { ...options, trust });
  return labelled.ok ? ok({ ...labelled.value, judged }) : labelled;
}

interface Draft {
  readonly text: string;
  readonly memory: Memory;
  readonly masked: number;
}

/** The text as it will be stored, masked, with its provenance, and checked. */
export async function draftMemory(
  { clock, mask }: Pick<WriteSurroundings, "clock" | "mask">,
  path: string,
  text: string,
  options: MemoryWriteOptions,
): Promise<Result<Draft>> {
  const checked = toTreePath(path);
  if (!checked.ok) return checked;
  const normal = checked.value;
  const kind = memoryPathKind(normal);
  if (kind !== "memory" && kind !== "quarantined") return refusePath(path);
  if (!text.isWellFormed()) {
    return fail("invalid-input", `The text for ${path} is not well-formed Unicode.`, {
      path,
      fix: "Remove lone surrogates, for example with toWellFormed().",
    });
  }
  if (mask !== undefined && (await mask(normal)).masked > 0) {
    return fail("invalid-path", "The name of the file holds a secret; nothing was written.", {
      fix: "Name the file after its topic.",
    });
  }
  const rendered = composeMemory(normal, text, toProvenance(options), options);
  if (!rendered.ok) return rendered;
  const { text: stored, masked } =
    mask === undefined ? { text: rendered.value, masked: 0 } : await mask(rendered.value);
  const { author = "user" } = options;
  const at = new Date(clock.now()).toISOString();
  const memory = parseMemory(stored, { path: normal, version: 0, at, author });
  if (!memory.ok) return memory;
  const size = checkSize(normal, stored, memory.value);
  return size.ok ? ok({ text: stored, memory: memory.value, masked }) : size;
}

function toProvenance(options: MemoryWriteOptions): MemoryProvenance {
  const { author = "user", session, entries, trust, isConfirmed } = options;
  return {
    author,
    ...(session === undefined ? {} : { session }),
    ...(entries === undefined ? {} : { entries }),
    trust: trust ?? (author === "user" ? "trusted" : "untrusted"),
    ...(isConfirmed ? { isConfirmed } : {}),
  };
}

function checkSize(path: string, text: string, memory: Memory): Result<void> {
  const bytes = Buffer.byteLength(text);
  const { maxMemoryBytes, indexLineChars } = memoryNumbers;
  if (bytes > maxMemoryBytes) {
    return fail("too-large", `${path} would have ${bytes} bytes; a memory may have ${maxMemoryBytes}.`, {
      path,
      fix: `Shorten it by ${bytes - maxMemoryBytes} bytes, or split it by topic.`,
      facts: { bytes, maxBytes: maxMemoryBytes },
    });
  }
  const excess = indexLineExcess(memory);
  if (excess === 0) return ok();
  return fail(
    "too-large",
    `The line of ${path} in ${indexPath} would have ${indexLineChars - 1 + excess} characters; it must be under ${indexLineChars}.`,
    {
      path,
      fix: `Shorten the description, or the name, by ${excess} characters.`,
      facts: { characters: indexLineChars - 1 + excess, maxCharacters: indexLineChars - 1 },
    },
  );
}

/** The record of a write in a version. */
export function versionWords({ author = "user", session, source, entries }: MemoryWriteOptions) {
  const from =
    source ?? (entries !== undefined && entries.length > 0 ? `entries: ${entries.join(" ")}` : undefined);
  return {
    author,
    ...(session === undefined ? {} : { session }),
    ...(from === undefined ? {} : { source: from }),
  };
}

/** The memory at a path; `null` where there is none, or a file that is none. */
export async function currentMemory(tree: FileTree, path: string): Promise<Result<Memory | null>> {
  const read = await tree.read(path);
  if (!read.ok) return read.error.code === "not-found" ? ok(null) : read;
  const parsed = parseMemory(read.value.text, read.value.version);
  return ok(parsed.ok ? parsed.value : null);
}

function refusePath(path: string): Result<never> {
  return fail("invalid-path", `${path} cannot be a memory.`, {
    path,
    fix: `Memories are files such as topic.md; ${indexPath} is generated, and logs/ holds no memories.`,
  });
}
