import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { detectFormat, importTranscript } from "@palimpsest/core";
import { readHead } from "@palimpsest/core/internal";
import { type Entry, fail, ok, type Result } from "@palimpsest/core/spec";
import { policies as boxed, normalize, type Policy, type RecordedSession } from "../../../replay/index.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { orThrow, UsageError } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { findTranscript } from "./find-transcript.ts";
import { readWhole } from "./read-whole.ts";
import { openSessionLocations, type SessionLocations } from "./session-locations.ts";

const transcript = /\.jsonl?(\.gz)?$/;

/** Where programs keep their sessions, below the home folder of the person. */
const places = [".claude/projects", ".codex/sessions", ".pi/agent/sessions"];

/** The named files, folders replaced by the transcripts in them; in order, each once. */
export async function findFiles(named: readonly string[], folder: string): Promise<readonly string[]> {
  const found = await Promise.all(
    named.map(async (name) => {
      if (name.trim() === "") throw new UsageError("a file's name is empty; name files or folders");
      const path = resolve(folder, name);
      return (await isFolder(path)) ? transcriptsIn(path) : [name];
    }),
  );
  return [...new Set(found.flat())];
}

/** The sessions that this program keeps, by path or id, and those that others keep on the machine. */
export async function discoverFiles(stores: SessionLocations): Promise<readonly string[]> {
  const logs = stores.kind === "files" ? await ownFiles(stores.home) : await ownSessions(stores);
  const others = await Promise.all(places.map((place) => transcriptsIn(join(homedir(), place))));
  return [...logs, ...others.flat()];
}

async function ownFiles(home: string): Promise<readonly string[]> {
  const own = await transcriptsIn(join(home, "projects"));
  return own.filter((path) => /\/projects\/[^/]+\/sessions\/[^/]+\.jsonl$/.test(path));
}

async function ownSessions(stores: SessionLocations): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const project of orThrow(await stores.projects()))
    ids.push(...orThrow(await stores.store(project).sessions.ids()));
  return ids;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** By name, folders within folders too; none where it cannot be read. */
async function transcriptsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && transcript.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Reads a session of any known format as a recording, by a file's path or a session's id. */
export async function loadRecording(
  named: string,
  context: CommandContext,
): Promise<Result<RecordedSession>> {
  const { terminal } = context;
  const locations = await openSessionLocations(context);
  const target = await findTranscript(locations, named);
  if (!target.ok) return target;
  const entries: Entry[] = [];
  const isForeign = target.value.kind === "file" && (await isForeignFile(target.value.path));
  const read =
    isForeign && target.value.kind === "file"
      ? await importTranscript(
          createReadStream(target.value.path),
          { file: target.value.path, signal: terminal.signal, keepsUnsignedThinking: true },
          (entry) => entries.push(entry),
        )
      : await readWhole(target.value, terminal, async (entry) => {
          entries.push(entry);
          return ok();
        });
  if (!read.ok) return read;
  const session = normalize(entries, escapeTerminal(basename(named)));
  return session.requests.length === 0
    ? fail("invalid-input", "No response of a model is in it.", { path: named })
    : ok(session);
}

async function isForeignFile(path: string): Promise<boolean> {
  const format = detectFormat(await readHead(createReadStream(path)));
  return format !== "palimpsest";
}

const form = "use: palimpsest replay FILES… --policies identity,engine --policy ./mine.js";

/**
 * The policies to run, in the order of the box and then of the files: identity first, since all others are compared
 * with it. Throws a usage error that says what is wrong with a name or a file.
 */
export async function loadPolicies(
  names: string | undefined,
  files: readonly string[],
  folder: string,
): Promise<readonly Policy[]> {
  const own = await Promise.all(files.map((file) => loadPolicy(resolve(folder, file))));
  const taken = new Set(boxed.map(({ name }) => name));
  for (const { name } of own) {
    if (taken.has(name)) throw new UsageError(`--policy: there is a policy “${name}” already; ${form}`);
    taken.add(name);
  }
  const wanted = names?.split(",").map((name) => name.trim());
  const unknown = wanted?.find((name) => !taken.has(name));
  if (unknown !== undefined)
    throw new UsageError(`--policies: there is no “${unknown}”; there are ${[...taken].join(", ")}`);
  return [...boxed.filter(({ name }, at) => at === 0 || (wanted?.includes(name) ?? true)), ...own];
}

async function loadPolicy(path: string): Promise<Policy> {
  const module = await import(pathToFileURL(path).href).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`--policy: ${path} could not be loaded: ${why}`);
  });
  const problem = problemOf(module.policy);
  if (problem !== null) throw new UsageError(`--policy: ${path} ${problem}; see docs/guides/replay.md`);
  return module.policy as Policy;
}

function problemOf(policy: unknown): string | null {
  if (policy === undefined) return "has no export named “policy”";
  if (typeof policy !== "object" || policy === null) return "exports a “policy” that is not an object";
  const { name, createLayers } = policy as Partial<Policy>;
  if (typeof name !== "string" || !/^[\w.-]+$/.test(name))
    return "exports a policy whose “name” is not made of letters, digits, dots, dashes and underscores";
  return typeof createLayers === "function" ? null : "exports a policy without a function “createLayers”";
}
