import {
  fail,
  type Memory,
  type MemoryFolder,
  ok,
  PalimpsestError,
  type Result,
  type TreeVersion,
} from "@palimpsest/core/spec";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import type { InspectedMemory, MemoryDetail, MemoryVersion } from "../inspected.ts";

/** The memories of a project, to be looked at. */
export interface MemoryShelf {
  list(): Promise<Result<readonly InspectedMemory[]>>;
  read(path: string): Promise<Result<MemoryDetail>>;
}

/** `null`: what is looked at belongs to no project. The folder is opened with the first question. */
export function createMemoryShelf(open: (() => Promise<MemoryFolder>) | null): MemoryShelf {
  let opening: Promise<MemoryFolder> | null = null;
  const folder = () => {
    opening ??= open?.() ?? null;
    return opening;
  };

  return {
    list: () =>
      attempt(async () => {
        const memory = await folder();
        if (!memory) return [];
        const { memories, quarantined } = await memory.survey();
        const versions = countByPath(await memory.history());
        return [...memories, ...quarantined].map((one) => toInspected(one, versions.get(one.path) ?? 1));
      }),
    read: (path) =>
      attempt(async () => {
        const memory = await folder();
        const history = (await memory?.history())?.filter((version) => version.path === path) ?? [];
        if (!memory || history.length === 0) throw noMemory(path);
        const versions: MemoryVersion[] = [];
        for (const version of history) versions.push(await toVersion(memory, version));
        const isGone = history.at(-1)?.removed === true;
        const blamed = isGone ? [] : await memory.blame(path);
        return {
          path,
          versions,
          blame: blamed.map(({ line, version }) => ({ text: line, version: version.version })),
        };
      }),
  };
}

async function toVersion(memory: MemoryFolder, version: TreeVersion): Promise<MemoryVersion> {
  const { version: number, at, author, session, source, removed, path } = version;
  const text = removed ? "" : (await memory.read(path, number)).text;
  const by = session === undefined ? author : `${author} (${session})`;
  return { version: number, at, by, reason: removed ? "removed" : (source ?? ""), text };
}

function toInspected(memory: Memory, versions: number): InspectedMemory {
  const { path, name, type, description, trust, isConfirmed, at } = memory;
  const said = trust === "untrusted" && isConfirmed ? "confirmed" : trust;
  return { path, name, type, description, trust: said, changedAt: at, versions };
}

function countByPath(history: readonly TreeVersion[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of history) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

function noMemory(path: string): PalimpsestError {
  return fail("not-found", `There is no memory “${escapeTerminal(path)}”.`, {
    path,
    fix: "Choose one of the list.",
  }).error;
}

/** The folder throws what it cannot do. */
async function attempt<Value>(work: () => Promise<Value>): Promise<Result<Value>> {
  try {
    return ok(await work());
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return { ok: false, error: cause };
    throw cause;
  }
}
