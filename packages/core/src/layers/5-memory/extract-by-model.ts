import { type ForkResult, fail, type LayerIo, ok, type Result, type TaintSource } from "../../spec/index.ts";
import type { Found } from "./extract-by-scribe.ts";
import { isMemoryPath, type MemoryFile } from "./known-memories.ts";
import type { MemoryPorts } from "./ports.ts";
import {
  type ExtractionCommand,
  extractionDirective,
  type MemoryContent,
  memoryTypes,
} from "./rules/index.ts";
import type { MemoryWrite } from "./write-memories.ts";

export type ExtractCommand = Extract<ExtractionCommand, { readonly kind: "extract" }>;

export const maxExtractionTurns = 5;
/** The newest messages that a memory names as its sources. */
const maxEntries = 20;

export interface ModelFound extends Found {
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
  const maxTurns = maxExtractionTurns;
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
 * What the fork has changed. Where it came from is said by the program and not by the model; what stands on something
 * untrusted stays so, and nobody has confirmed it as it is now.
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
      entries: [...new Set([...(former?.memory?.entries ?? []), ...said])].slice(-maxEntries),
      trust: former?.memory?.trust === "untrusted" ? "untrusted" : trust,
    };
    return [{ path, content: stamped, expect: former?.version ?? 0 }];
  });
}

/**
 * What untrusted a fork has read beyond what its parent had in view. Its directive is the program's own, a memory is
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
