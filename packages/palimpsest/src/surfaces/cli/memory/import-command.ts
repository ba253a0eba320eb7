import { resolve } from "node:path";
import { readWholeFile } from "@palimpsest/core/internal";
import { fail, type MemoryImportReport, type MemoryImportSource } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { exitWith } from "../exit-codes.ts";
import { formatNumber } from "../format-amount.ts";
import { toHarmless, toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface ImportOptions extends TargetOptions {
  readonly trusted?: boolean;
  readonly replace?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const maxDocumentBytes = 64 * 1024 * 1024;

export async function runImport(
  context: CommandContext,
  named: string,
  options: ImportOptions,
): Promise<void> {
  const { terminal } = context;
  const { memory } = await openMemoryTarget(context, options);
  const source = await readSource(context, named);
  const { trusted = false, replace = false, dryRun = false } = options;
  const report = await memory.import(source, { trust: trusted ? "trusted" : "untrusted", replace, dryRun });
  if (options.json) await terminal.write(toJson({ dryRun, ...report }));
  else {
    const count = formatNumber(report.imported.length, "memory", "memories");
    const lines = [
      ...report.imported.map(importedLine),
      ...report.skipped.map(({ path, why }) => `  not ${toHarmless(path)}: ${toHarmless(why)}`),
    ];
    const head = `${dryRun ? "Would import" : "Imported"} ${count}${trusted ? "" : ", as untrusted"}.`;
    await terminal.write(`${[head, ...lines].join("\n")}\n`);
  }
  if (report.imported.length === 0 && report.skipped.some(({ why }) => !isHarmlessSkip(why)))
    exitWith("failed");
}

function importedLine({ path, quarantined, masked = 0 }: MemoryImportReport["imported"][number]): string {
  const hidden = masked === 0 ? "" : `, ${formatNumber(masked, "secret")} masked`;
  const waits = quarantined === undefined ? "" : `, waits in quarantine: ${quarantined}`;
  return `  ${toHarmless(`${path}${hidden}${waits}`)}`;
}

function isHarmlessSkip(why: string): boolean {
  return why === "it is here already" || why === "it is generated";
}

async function readSource(context: CommandContext, named: string): Promise<MemoryImportSource> {
  if (named === "-") return { document: parse(await readInput(context), "standard input") };
  const path = resolve(context.folder, named);
  const disk = createNodeDisk();
  const stat = orThrow(await disk.stat(path));
  if (stat.kind === "directory") return { folder: path };
  const bytes = orThrow(await readWholeFile(disk, path, maxDocumentBytes));
  return { document: parse(Buffer.from(bytes).toString("utf8"), path) };
}

async function readInput({ terminal }: CommandContext): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of terminal.input()) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw fail("unknown-format", `${name} is not JSON.`, {
      fix: "Use what “palimpsest memory export” writes, or a folder of markdown files.",
      cause,
    }).error;
  }
}
