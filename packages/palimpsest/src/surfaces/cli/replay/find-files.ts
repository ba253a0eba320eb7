import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { orThrow } from "../or-throw.ts";
import type { SessionLocations } from "../sessions/session-locations.ts";

const transcript = /\.jsonl?(\.gz)?$/;

/** Where programs keep their sessions, below the home folder of the person. */
const places = [".claude/projects", ".codex/sessions", ".pi/agent/sessions"];

/** What was named, folders replaced by the transcripts in them; in order, each once. */
export async function findFiles(named: readonly string[], folder: string): Promise<readonly string[]> {
  const found = await Promise.all(
    named.map(async (name) => {
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
