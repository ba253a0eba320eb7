import { resolve } from "node:path";
import { createRuntime, folderOf, readWholeFile, writeWholeFile } from "@palimpsest/core/internal";
import {
  type BlamedLine,
  type Disk,
  fail,
  type Ids,
  type MemoryDoctorReport,
  type MemoryDocument,
  type MemoryFindingKind,
  type MemoryFolder,
  type MemoryImportReport,
  type MemoryImportSource,
  PalimpsestError,
} from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { exitWith, orThrow, UsageError } from "../../local/or-throw.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { diffLines } from "../../terminal/diff-lines.ts";
import { diffPicture } from "../../terminal/diff-picture.ts";
import { escapeExactly, escapeTerminal, toHarmlessText, toJson } from "../../terminal/escape-terminal.ts";
import { formatBytes, formatDate, formatNumber } from "../../terminal/format-amount.ts";
import { renderTable } from "../../terminal/table.ts";
import { padText } from "../../terminal/text-width.ts";
import { wrapBehind, wrapText } from "../../terminal/wrap-text.ts";
import { createFileSink } from "../sessions/export-sink.ts";
import { findFile, openMemoryTarget, type TargetOptions } from "./memory-target.ts";

interface ImportOptions extends TargetOptions {
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
      ...report.skipped.map(({ path, why }) => `  not ${escapeTerminal(path)}: ${escapeTerminal(why)}`),
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
  return `  ${escapeTerminal(`${path}${hidden}${waits}`)}`;
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

interface ExportOptions extends TargetOptions {
  readonly out?: string;
  readonly folder?: string;
  readonly force?: boolean;
}

export async function runExport(context: CommandContext, options: ExportOptions): Promise<void> {
  const { terminal, folder } = context;
  if (options.out !== undefined && options.folder !== undefined) {
    throw new UsageError(
      "--out and --folder exclude each other; use: palimpsest memory export [--out FILE | --folder DIR]",
    );
  }
  const { memory } = await openMemoryTarget(context, options);
  const disk = createNodeDisk();
  const { ids } = createRuntime();
  const document = await memory.export();
  const count = formatNumber(document.files.length, "file");
  if (options.folder !== undefined) {
    const target = resolve(folder, options.folder);
    await writeFolder(disk, ids, target, document);
    terminal.say(`wrote ${count} to ${escapeTerminal(target)}`);
  } else if (options.out !== undefined) {
    const path = resolve(folder, options.out);
    await writeFile(disk, ids, path, document, options.force ?? false);
    terminal.say(`wrote ${count} to ${escapeTerminal(path)}`);
  } else await terminal.write(toJson(document));
}

async function writeFile(
  disk: Disk,
  ids: Ids,
  path: string,
  document: MemoryDocument,
  force: boolean,
): Promise<void> {
  const sink = orThrow(await createFileSink(disk, ids, path, { force }));
  try {
    orThrow(await sink.write(Buffer.from(toJson(document))));
    orThrow(await sink.commit());
  } finally {
    await sink.discard();
  }
}

async function writeFolder(disk: Disk, ids: Ids, folder: string, { files }: MemoryDocument): Promise<void> {
  const present = await disk.list(folder);
  if (present.ok && present.value.length > 0) {
    throw fail("exists", `${folder} is not empty.`, { path: folder, fix: "Name a new folder." }).error;
  }
  if (!present.ok && present.error.code !== "not-found") throw present.error;
  for (const { path, text } of files) {
    const file = `${folder}/${path}`;
    orThrow(await disk.makeDirectory(folderOf(file)));
    const temporary = `${folderOf(file)}/.${ids.next("export")}`;
    orThrow(
      await writeWholeFile(disk, file, Buffer.from(text), { temporary, durable: false, when: "absent" }),
    );
  }
}

interface DoctorOptions extends TargetOptions {
  readonly reindex?: boolean;
  readonly json?: boolean;
}

export async function runDoctor(context: CommandContext, options: DoctorOptions): Promise<void> {
  const { terminal } = context;
  const { memory } = await openMemoryTarget(context, options);
  const isReindexed = options.reindex ? await memory.reindex() : false;
  const report = await memory.doctor();
  if (options.json) return terminal.write(toJson({ ...report, reindexed: isReindexed }));
  const lines = [
    ...(isReindexed ? ["MEMORY.md was written anew.", ""] : []),
    ...rateLines(report, context),
    "",
    ...findingLines(report, context),
    indexLine(report),
  ];
  await terminal.write(`${lines.join("\n")}\n`);
}

function rateLines(
  { rates, unchecked }: MemoryDoctorReport,
  { terminal }: CommandContext,
): readonly string[] {
  const { style, columns: width } = terminal;
  const kinds = Object.keys(rates) as readonly MemoryFindingKind[];
  return renderTable({
    columns: [
      { header: "KIND" },
      { header: "FOUND", align: "right" },
      { header: "OF", align: "right" },
      { header: "RATE", align: "right" },
    ],
    rows: kinds.map((kind) => {
      const { count, of, rate } = rates[kind];
      if (unchecked.includes(kind))
        return [{ text: kind }, { text: "–" }, { text: "–" }, { text: "not checked", paint: style.dim }];
      const paint = count > 0 ? { paint: style.yellow } : {};
      const share = rate === null ? "–" : `${(rate * 100).toFixed(rate > 0 && rate < 0.1 ? 1 : 0)} %`;
      return [{ text: kind }, { text: String(count), ...paint }, { text: String(of) }, { text: share }];
    }),
    width,
    paintHeader: style.dim,
  });
}

function findingLines({ findings }: MemoryDoctorReport, { terminal }: CommandContext): readonly string[] {
  const { style, columns } = terminal;
  if (findings.length === 0) return [style.green("Nothing is wrong.")];
  return findings.flatMap(({ kind, path, detail }) =>
    wrapBehind("- ", `${escapeTerminal(path)} (${kind}): ${escapeTerminal(detail)}`, columns),
  );
}

function indexLine({ memories, index }: MemoryDoctorReport): string {
  const over = index.isOverLimit ? ", over its limits: shorten or merge" : "";
  return `${formatNumber(memories, "memory", "memories")}; MEMORY.md has ${formatNumber(index.lines, "line")}, ${formatBytes(index.bytes)}${over}`;
}

interface DiffOptions extends TargetOptions {
  readonly json?: boolean;
}

export async function runDiff(
  context: CommandContext,
  named: string,
  range: { readonly from?: number; readonly to?: number },
  options: DiffOptions,
): Promise<void> {
  const { terminal } = context;
  const { memory } = await openMemoryTarget(context, options);
  const path = orThrow(await findFile(memory, named));
  const diff = await memory.diff(path, range);
  if (options.json) return terminal.write(toJson(diff));
  if (diff.text === "") {
    return terminal.write(`Versions ${diff.from} and ${diff.to} of ${escapeTerminal(path)} are the same.\n`);
  }
  if (!terminal.isScreen) return terminal.write(toHarmlessText(diff.text, "pipe"));
  const rows = diffLines(await textOf(memory, path, diff.from), await textOf(memory, path, diff.to));
  const head = wrapText(`${escapeTerminal(path)}, version ${diff.from} to ${diff.to}`, terminal.columns);
  const lines = [...head.map(terminal.style.bold), ...diffPicture(rows, terminal)];
  await terminal.write(`${lines.join("\n")}\n`);
}

/** Empty before the first version, and where the file was removed. */
async function textOf(memory: MemoryFolder, path: string, version: number): Promise<string> {
  try {
    return version === 0 ? "" : (await memory.read(path, version)).text;
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === "not-found") return "";
    throw error;
  }
}

interface BlameOptions extends TargetOptions {
  readonly json?: boolean;
}

export async function runBlame(context: CommandContext, named: string, options: BlameOptions): Promise<void> {
  const { terminal } = context;
  const { memory } = await openMemoryTarget(context, options);
  const path = orThrow(await findFile(memory, named));
  const blamed = await memory.blame(path);
  if (options.json) return terminal.write(toJson(blamed.map(blamedLineRow)));
  if (blamed.length === 0) return terminal.write(`${escapeTerminal(path)} has no lines now.\n`);
  const width = String(Math.max(...blamed.map(({ version }) => version.version))).length;
  const lines = blamed.map(({ line, version: { version, author, at } }) => {
    const origin = `${padText(String(version), width, "right")} ${padText(author, 6)} ${formatDate(at)}`;
    return `${terminal.style.dim(origin)}  ${escapeExactly(line)}`.trimEnd();
  });
  await terminal.write(`${lines.join("\n")}\n`);
}

function blamedLineRow({ line, version: { version, at, author, session, source } }: BlamedLine) {
  return { line, version, at, author, session: session ?? null, source: source ?? null };
}

/** The commands' work, loaded when one of them runs. */
export { runEdit } from "./edit-command.ts";
export { runConfirm, runReject } from "./judge-command.ts";
export { runList } from "./list-command.ts";
export { runLog } from "./log-command.ts";
export { runRevert } from "./revert-command.ts";
export { runSearch } from "./search-command.ts";
export { runShow } from "./show-command.ts";
