import { type Disk, ok, type Result } from "../../../spec/index.ts";
import type { Layout } from "../../shared/layout.ts";
import { rewritePath } from "../log/rewrite-log.ts";
import { asides } from "./remove-session.ts";

const logSuffix = ".jsonl";

export interface SessionFile {
  /** `agent`: anything of a fork that lives inside this session. */
  readonly kind: "log" | "aside" | "blob" | "tool-result" | "notes" | "agent";
  readonly path: string;
  readonly bytes: number;
  /** Same string, same file: a tool result is a second name of a blob. */
  readonly identity: string;
}

/** Every file that goes when the session is removed, and the files of its agents. */
export async function sessionFiles(
  disk: Disk,
  layout: Layout,
  session: string,
): Promise<Result<readonly SessionFile[]>> {
  const log = layout.log(session);
  const blobs = layout.blobs(session);
  const toolResults = layout.toolResults(session);
  if (!log.ok) return log;
  if (!blobs.ok) return blobs;
  if (!toolResults.ok) return toolResults;
  const places: readonly (readonly [SessionFile["kind"], string])[] = [
    ["log", log.value],
    ...asides.map((suffix) => ["aside", log.value + suffix] as const),
    ["aside", rewritePath(log.value)],
    ["blob", blobs.value],
    ["tool-result", toolResults.value],
    ["notes", notesPath(layout, log.value)],
    ["agent", `${log.value.slice(0, -logSuffix.length)}.agents`],
    ["agent", `${blobs.value}.agents`],
    ["agent", `${toolResults.value}.agents`],
  ];
  const files: SessionFile[] = [];
  for (const [kind, path] of places) {
    const collected = await collect(disk, kind, path, files);
    if (!collected.ok) return collected;
  }
  return ok(files);
}

/** Bytes on the disk, a file with two names counted once. */
export function footprintBytes(files: readonly SessionFile[]): number {
  const sizes = new Map(files.map(({ identity, bytes }) => [identity, bytes]));
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

export function notesPath(layout: Layout, logPath: string): string {
  const name = logPath.slice(layout.sessions.length + 1, -logSuffix.length);
  return `${layout.root}/session-notes/${name}.md`;
}

async function collect(
  disk: Disk,
  kind: SessionFile["kind"],
  path: string,
  files: SessionFile[],
): Promise<Result<void>> {
  const stat = await disk.stat(path);
  if (!stat.ok) return stat.error.code === "not-found" ? ok() : stat;
  if (stat.value.kind !== "directory") {
    files.push({ kind, path, bytes: stat.value.bytes, identity: stat.value.identity });
    return ok();
  }
  const names = await disk.list(path);
  if (!names.ok) return names.error.code === "not-found" ? ok() : names;
  for (const name of names.value) {
    const collected = await collect(disk, kind, `${path}/${name}`, files);
    if (!collected.ok) return collected;
  }
  return ok();
}
