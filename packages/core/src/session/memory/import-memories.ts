import { isObject } from "../../json/json-values.ts";
import { fromQuarantinePath, memoryPathKind } from "../../memory/check-memory.ts";
import { parseMemory } from "../../memory/parse-memory.ts";
import {
  fail,
  type MemoryDocument,
  type MemoryImportOptions,
  type MemoryImportReport,
  type MemoryImportSource,
  type MemoryWriteOptions,
  type MemoryWritten,
  ok,
  type Result,
} from "../../spec/index.ts";
import type { IndexKeeper } from "./index-keeper.ts";
import type { FolderTexts, MemorySurroundings, MemoryText } from "./memory-surroundings.ts";
import { draftJudged, targetOf, writeMemory } from "./write-memory.ts";

type ImportSurroundings = Pick<MemorySurroundings, "tree" | "clock" | "judge" | "mask" | "readFolder">;

/** Brings memories in from elsewhere, each as a version by `import`. One that cannot come in stops none of the others. */
export async function importMemories(
  around: ImportSurroundings,
  keeper: IndexKeeper,
  source: MemoryImportSource,
  options: MemoryImportOptions,
): Promise<Result<MemoryImportReport>> {
  const read = await readSource(around, source);
  if (!read.ok) return read;
  const imported: MemoryImportReport["imported"][number][] = [];
  const skipped = [...read.value.skipped];
  for (const file of read.value.files) {
    const why = await skipReason(around, file, options);
    if (why !== null) {
      skipped.push({ path: file.path, why });
      continue;
    }
    const given = toOptions(file, options);
    const written = options.dryRun
      ? await planMemory(around, file, given)
      : await writeMemory(around, keeper, file.path, file.text, given);
    if (!written.ok) {
      skipped.push({ path: file.path, why: written.error.message.replace(/\.$/, "") });
      continue;
    }
    const { memory, quarantined, masked } = written.value;
    imported.push({
      path: memory.path,
      ...(quarantined === undefined ? {} : { quarantined }),
      ...(masked === undefined ? {} : { masked }),
    });
  }
  return ok({ imported, skipped });
}

/** A write's result, without writing. */
async function planMemory(
  around: ImportSurroundings,
  { path, text }: MemoryText,
  given: MemoryWriteOptions,
): Promise<Result<Pick<MemoryWritten, "memory" | "quarantined" | "masked">>> {
  const drafted = await draftJudged(around, path, text, given);
  if (!drafted.ok) return drafted;
  const { memory, masked, judged } = drafted.value;
  return ok({
    memory: { ...memory, path: targetOf(memory, judged) },
    ...(judged.verdict === "quarantine" ? { quarantined: judged.reason } : {}),
    ...(masked > 0 ? { masked } : {}),
  });
}

async function readSource(
  { readFolder }: ImportSurroundings,
  source: MemoryImportSource,
): Promise<Result<FolderTexts>> {
  if ("folder" in source) return readFolder(source.folder);
  if ("files" in source) return ok({ files: source.files, skipped: [] });
  const { document } = source;
  return isDocument(document)
    ? ok({ files: document.files, skipped: [] })
    : fail("unknown-format", "This is not an export of memories.", {
        fix: "Use what “palimpsest memory export” writes, or a folder of markdown files.",
      });
}

function isDocument(value: unknown): value is MemoryDocument {
  if (!isObject(value)) return false;
  const { format, version, files } = value;
  return format === "palimpsest-memory" && version === 1 && Array.isArray(files) && files.every(isMemoryText);
}

function isMemoryText(value: unknown): value is MemoryText {
  const { path, text } = (value ?? {}) as Record<string, unknown>;
  return typeof path === "string" && typeof text === "string";
}

async function skipReason(
  { tree }: ImportSurroundings,
  { path, text }: MemoryText,
  { replace }: MemoryImportOptions,
): Promise<string | null> {
  const kind = memoryPathKind(path);
  if (kind === "index") return "it is generated";
  if (kind !== "memory" && kind !== "quarantined") return "it is not a memory";
  const present = await tree.read(path);
  if (!present.ok)
    return present.error.code === "not-found" ? null : present.error.message.replace(/\.$/, "");
  if (isSame(present.value.text, text)) return "it is here already";
  return replace ? null : `another ${fromQuarantinePath(path)} is here`;
}

/** Says the same, whatever the provenance. */
function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  const said = [a, b].map((text) => parseMemory(text, { path: "", version: 0, at: "", author: "import" }));
  const [first, second] = said.map((one) =>
    one.ok
      ? JSON.stringify([one.value.name, one.value.description, one.value.type, one.value.body.trim()])
      : null,
  );
  return first !== null && first === second;
}

/** Where it is trusted, what a memory says of its origin is kept. */
function toOptions(
  { path, text }: MemoryText,
  { trust = "untrusted" }: MemoryImportOptions,
): MemoryWriteOptions {
  const parsed = parseMemory(text, { path, version: 0, at: "", author: "import" });
  const { session, entries, isConfirmed } = parsed.ok && trust === "trusted" ? parsed.value : {};
  return { author: "import", trust, session, entries, isConfirmed };
}
