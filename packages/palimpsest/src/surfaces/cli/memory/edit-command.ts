import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { indexPath, toMemoryName, toMemoryPath } from "@palimpsest/core/internal";
import {
  fail,
  type MemoryFile,
  type MemoryFolder,
  type MemoryWritten,
  PalimpsestError,
} from "@palimpsest/core/spec";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { formatNumber } from "../../terminal/format-amount.ts";
import { interruption } from "../ask.ts";
import { findFile, openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export async function runEdit(context: CommandContext, named: string, options: TargetOptions): Promise<void> {
  const { terminal } = context;
  const { memory } = await openMemoryTarget(context, options);
  const found = await findFile(memory, named);
  if (!found.ok && found.error.code !== "not-found") throw found.error;
  const path = found.ok ? found.value : newPath(named);
  const before = await readIfPresent(memory, path);
  const text = before?.text ?? (path === indexPath ? "" : template(path));
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-memory-"));
  const copy = join(folder, basename(path));
  try {
    await writeFile(copy, text, { mode: 0o600 });
    await runEditor(copy, terminal.signal);
    const edited = await readFile(copy, "utf8");
    if (edited === text) return terminal.say("Nothing was changed.");
    const { version, masked = 0 } = await store(memory, path, edited, before).catch((error: unknown) =>
      keep(error, copy),
    );
    const hidden = masked === 0 ? "" : `, ${formatNumber(masked, "secret")} masked`;
    await terminal.write(`wrote ${escapeTerminal(path)}, version ${version.version}${hidden}\n`);
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.facts.kept === copy) throw error;
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  await rm(folder, { recursive: true, force: true });
}

function newPath(named: string): string {
  return named.endsWith(".md") ? named : toMemoryPath(named);
}

async function readIfPresent(memory: MemoryFolder, path: string): Promise<MemoryFile | null> {
  try {
    return await memory.read(path);
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === "not-found") return null;
    throw error;
  }
}

/** Keeps the rest of its origin; the words are the person's now. */
async function store(
  memory: MemoryFolder,
  path: string,
  text: string,
  before: MemoryFile | null,
): Promise<Pick<MemoryWritten, "version" | "masked">> {
  const expect = before?.version.version ?? 0;
  if (path === indexPath) return { version: await memory.writeOwnLines(text, { expect }) };
  const { session, entries, isConfirmed } = before?.memory ?? {};
  return memory.write(path, text, { author: "user", session, entries, isConfirmed, expect });
}

/** A text that could not be stored is not thrown away. */
function keep(error: unknown, copy: string): never {
  if (!PalimpsestError.isInstance(error)) throw error;
  const fix = `${error.fix ?? "Try again."} Your text is kept in ${copy}.`;
  throw fail(error.code, error.message, { path: error.path, fix, facts: { ...error.facts, kept: copy } })
    .error;
}

function template(path: string): string {
  return `---
name: ${toMemoryName(path)}
description: 
type: reference
---

`;
}

/** Opens a file in the person's editor and waits until it is closed. `VISUAL` and `EDITOR` may have arguments. */
async function runEditor(file: string, signal: AbortSignal): Promise<void> {
  const { VISUAL, EDITOR } = process.env;
  const editor = VISUAL || EDITOR;
  if (!editor) {
    throw fail("not-found", "No editor is set.", {
      fix: "Set EDITOR, for example EDITOR=nano, and call this again.",
    }).error;
  }
  if (signal.aborted) throw interruption();
  // The file's name is an argument, so that nothing in it is read by the shell.
  const child = spawn("sh", ["-c", `${editor} "$@"`, editor, file], { stdio: "inherit" });
  const [code, killedBy] = await once(child, "close");
  if (signal.aborted) throw interruption();
  if (code === 0) return;
  const how = code === null ? `by ${killedBy}` : `with code ${code}`;
  throw fail("crashed", `The editor “${editor}” ended ${how}. Nothing was written.`, {
    fix: "Check EDITOR, and call this again.",
  }).error;
}
