import {
  type FileTree,
  type ForkResult,
  fail,
  type LayerIo,
  ok,
  type Result,
  type TaintSource,
  type UserMessageRecord,
} from "../../spec/index.ts";
import type { ExtractionCommand } from "./decide.ts";
import type { MemoryCodec, MemoryPorts } from "./ports.ts";
import {
  extractionDirective,
  extractStatements,
  type KnownMemory,
  knownAs,
  type MemoryContent,
  memoryTypes,
  toMemory,
} from "./rules/index.ts";
import { extractionNumbers } from "./settings.ts";
import type { MemoryWrite, WriteReport } from "./write-memories.ts";

export type ExtractCommand = Extract<ExtractionCommand, { readonly kind: "extract" }>;

interface ModelFound extends Found {
  readonly dollars: number;
  readonly cacheShare: number;
}

/** Lets a fork look for memories. It writes a copy of the folder: what it changed is checked before anything is kept. */
export async function extractByModel(
  command: ExtractCommand,
  files: ReadonlyMap<string, MemoryFile>,
  io: Pick<LayerIo, "fork" | "session">,
  ports: Pick<MemoryPorts, "folder" | "codec">,
  signal: AbortSignal,
): Promise<Result<ModelFound>> {
  const { folder, codec } = ports;
  const memories = [...files.values()].flatMap(({ memory }) => memory ?? []);
  const { maxTurns } = extractionNumbers;
  const directive = extractionDirective({ folder, memories, messages: command.messages.length, maxTurns });
  const forked = await io.fork(directive, {
    kind: "memory",
    tools: command.tools,
    turns: maxTurns,
    signal,
    folder: {
      path: folder,
      files: Object.fromEntries([...files].map(([path, { text }]) => [path, text])),
      refuse: (path, text) => refusalOf(path, codec.read(path, text), folder),
    },
  });
  if (!forked.ok) return forked;
  const failure = failureOf(forked.value);
  if (failure) return failure;
  const { dollars, cache } = forked.value;
  const foreign = foreignTo(forked.value, { folder, files });
  const trust = foreign.length > 0 ? "untrusted" : command.trust;
  const writes = changedBy(forked.value, { ...command, trust }, files, { codec, session: io.session });
  const because = [...(command.because ?? []), ...foreign];
  return ok({ writes, skipped: [], because, dollars, cacheShare: cache.share });
}

/** Why the model may not leave a text at a path; `undefined` where it may. */
function refusalOf(path: string, content: MemoryContent | undefined, folder: string): string | undefined {
  if (!isMemoryPath(path))
    return `${folder}/${path} may not be written: memories are files such as ${folder}/topic.md.`;
  if (content) return undefined;
  return `${folder}/${path} was not written: it needs front matter with name, description and type (${memoryTypes.join(", ")}).`;
}

/** One that has used up its turns may have done its work all the same. */
function failureOf({ end }: ForkResult): Result<never> | null {
  if (end.reason === "done" || end.reason === "max-turns") return null;
  if (end.error) return { ok: false, error: end.error };
  const code = end.reason === "aborted" ? "aborted" : "io";
  return fail(code, end.message ?? `The extraction ended with “${end.reason}”.`);
}

/**
 * Files that the fork has changed. Where it came from is said by the program and not by the model; what stands on
 * something untrusted stays so, and nobody has confirmed it as it is now.
 */
function changedBy(
  { files: left = {} }: ForkResult,
  { messages, trust }: ExtractCommand,
  files: ReadonlyMap<string, MemoryFile>,
  { codec, session }: Pick<MemoryPorts, "codec"> & { readonly session: string },
): readonly MemoryWrite[] {
  return Object.entries(left).flatMap(([path, text]) => {
    const former = files.get(path);
    const content = former?.text === text ? undefined : codec.read(path, text);
    if (!content) return [];
    const { name, description, type, body } = content;
    const said = messages.map(({ entry }) => entry);
    const stamped: MemoryContent = {
      name,
      description,
      type,
      body,
      author: "agent",
      session,
      entries: [...new Set([...(former?.memory?.entries ?? []), ...said])].slice(
        -extractionNumbers.maxSources,
      ),
      trust: former?.memory?.trust === "untrusted" ? "untrusted" : trust,
    };
    return [{ path, content: stamped, expect: former?.version ?? 0 }];
  });
}

/**
 * Untrusted content that a fork has read beyond its parent's view. Its directive is the program's own, a memory is
 * worth what it says of itself, and one that was not there is the fork's own. A fork of which nobody knows is taken at
 * its parent's worth.
 */
function foreignTo(
  { taint }: Pick<ForkResult, "taint">,
  { folder, files }: { readonly folder: string; readonly files: ReadonlyMap<string, MemoryFile> },
): readonly TaintSource[] {
  const isTrusted = (path: string | undefined) => {
    if (path === undefined || !path.startsWith(`${folder}/`)) return false;
    const below = path.slice(folder.length + 1);
    const file = files.get(below);
    if (!file) return isMemoryPath(below) && !below.split("/").includes("..");
    return file.memory?.trust === "trusted" || file.memory?.isConfirmed === true;
  };
  return (taint?.because ?? []).filter(
    ({ kind, name }) => kind !== "program" && kind !== "answer" && !isTrusted(name),
  );
}

export interface Found {
  readonly writes: readonly MemoryWrite[];
  readonly skipped: WriteReport["skipped"];
  /** Untrusted content in view, where that is known. */
  readonly because?: readonly TaintSource[];
}

/** The user's outright statements, as memories of their own; known ones are left as they are. */
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

/** A file of the memory folder that may be changed, as it was read. */
export interface MemoryFile {
  readonly path: string;
  readonly text: string;
  readonly version: number;
  /** Absent where the file is no memory. */
  readonly memory?: KnownMemory & MemoryContent;
}

const indexName = "memory.md";
const closedFolders: ReadonlySet<string> = new Set(["quarantine", "logs"]);

/** Whether a path may be a memory: no index, no daily log, nothing in quarantine, nothing hidden. */
function isMemoryPath(path: string): boolean {
  const parts = path.toLowerCase().split("/");
  if (parts.some((part) => part === "" || part.startsWith("."))) return false;
  return path.endsWith(".md") && parts.join("/") !== indexName && !closedFolders.has(parts[0] ?? "");
}

/** All memories, by path. A file that is removed meanwhile, or cannot be read, is left out. */
export async function readMemories(
  tree: FileTree,
  codec: MemoryCodec,
): Promise<Result<ReadonlyMap<string, MemoryFile>>> {
  const listed = await tree.list();
  if (!listed.ok) return listed;
  const paths = listed.value.map(({ path }) => path).filter(isMemoryPath);
  const files = await Promise.all(paths.map((path) => tree.read(path)));
  const found = files.flatMap((file) => (file.ok ? [file.value] : []));
  return ok(
    new Map(
      found.map(({ text, version: { path, version } }) => {
        const content = codec.read(path, text);
        return [path, { path, text, version, ...(content && { memory: { path, ...content } }) }];
      }),
    ),
  );
}
