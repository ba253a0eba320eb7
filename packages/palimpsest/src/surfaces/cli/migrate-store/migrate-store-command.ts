import { type CopyReport, copyProject, decideStore, openStores } from "@palimpsest/core/internal";
import type { PalimpsestError, ProjectStores } from "@palimpsest/core/spec";
import { exitWith, orThrow, UsageError } from "../../local/or-throw.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatBytes, formatCount, formatNumber } from "../../terminal/format-amount.ts";
import { type Column, renderTable } from "../../terminal/table.ts";

export interface MigrateStoreOptions {
  readonly from: string;
  readonly to: string;
  readonly project?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** The result for one project. */
export interface ProjectCopy extends CopyReport {
  readonly project: string;
}

/** Ends with `failed` where something was not copied. */
export async function runMigrateStore(context: CommandContext, options: MigrateStoreOptions): Promise<void> {
  checkOptions(options);
  const { terminal } = context;
  const opened: ProjectStores[] = [];
  try {
    const from = await open(context, options.from, opened);
    const to = await open(context, options.to, opened);
    if (from.kind === to.kind && from.address === to.address)
      throw new UsageError("--from and --to are the same store; name two");
    const copies: ProjectCopy[] = [];
    for (const project of await projectsOf(context, from, options))
      copies.push({ project, ...(await copyOne(terminal, from, to, project)) });
    await printOutcome(terminal, { from: from.address, to: to.address, copies }, options.json === true);
    if (copies.some(({ skipped }) => skipped.length > 0)) exitWith("failed");
  } finally {
    for (const stores of opened) await stores.close();
  }
}

function checkOptions({ from, to, project, all }: MigrateStoreOptions): void {
  for (const [name, store] of Object.entries({ "--from": from, "--to": to })) {
    if (!decideStore({ store, environment: {} }).ok)
      throw new UsageError(`${name} takes “files” or postgres://user@host/database`);
  }
  if (project !== undefined && all) throw new UsageError("--project and --all exclude each other");
}

async function open(
  { home }: CommandContext,
  store: string,
  opened: ProjectStores[],
): Promise<ProjectStores> {
  const stores = orThrow(await openStores({ home, store }));
  opened.push(stores);
  return stores;
}

async function projectsOf(
  context: CommandContext,
  from: ProjectStores,
  { project, all }: MigrateStoreOptions,
): Promise<readonly string[]> {
  if (all) return orThrow(await from.projects());
  const locations = await openSessionLocations({ ...context, stores: async () => from });
  return [
    orThrow(project === undefined ? await locations.currentProject() : await locations.toProject(project)),
  ];
}

async function copyOne(
  terminal: Terminal,
  from: ProjectStores,
  to: ProjectStores,
  project: string,
): Promise<CopyReport> {
  let pieces = 0;
  let bytes = 0;
  const onPiece = (_piece: unknown, size: number) => {
    pieces += 1;
    bytes += size;
    terminal.progress(`${escapeTerminal(project)}: ${formatNumber(pieces, "piece")}, ${formatBytes(bytes)}`);
  };
  const { signal } = terminal;
  return orThrow(await copyProject(from.store(project), to.store(project), { onPiece, signal }));
}

interface MigrationOutcome {
  readonly from: string;
  readonly to: string;
  readonly copies: readonly ProjectCopy[];
}

async function printOutcome(
  terminal: Terminal,
  { from, to, copies }: MigrationOutcome,
  isJson: boolean,
): Promise<void> {
  if (isJson) {
    const projects = copies.map(({ skipped, ...copy }) => ({ ...copy, skipped: skipped.map(toPlain) }));
    return terminal.write(toJson({ from, to, projects }));
  }
  const lines = [`from ${escapeTerminal(from)}`, `to   ${escapeTerminal(to)}`, ""];
  return terminal.write(`${[...lines, ...renderReports(copies, terminal)].join("\n")}\n`);
}

function toPlain({ what, error }: { readonly what: string; readonly error: PalimpsestError }) {
  const { code, message, fix } = error;
  return { what, code, message, ...(fix !== undefined && { fix }) };
}

const columns: readonly Column[] = [
  { header: "SESSIONS", align: "right" },
  { header: "BLOBS", align: "right" },
  { header: "VERSIONS", align: "right" },
  { header: "MAILS", align: "right" },
  { header: "SIZE", align: "right" },
  { header: "SAME", align: "right" },
  { header: "SKIPPED", align: "right" },
  { header: "PROJECT", isFlexible: true },
];

/** A line for each project, then what was not copied and why. */
function renderReports(
  copies: readonly ProjectCopy[],
  { columns: width, style }: Pick<Terminal, "columns" | "style">,
): readonly string[] {
  if (copies.length === 0) return ["There is no project to copy."];
  const rows = copies.map(({ project, sessions, pieces, bytes, present, skipped }) =>
    [
      ...[sessions, pieces.blob ?? 0, pieces.version ?? 0, pieces.mail ?? 0].map(formatCount),
      ...[formatBytes(bytes), formatCount(present), formatCount(skipped.length), escapeTerminal(project)],
    ].map((text) => ({ text })),
  );
  const table = renderTable({ columns, rows, width: Math.min(width, 80), paintHeader: style.dim });
  const skipped = copies.flatMap((copy) => copy.skipped);
  return [...table, "", ...skipped.flatMap(toLines), summaryLine(copies, skipped.length)];
}

function toLines({ what, error }: ProjectCopy["skipped"][number]): readonly string[] {
  const fix = error.fix === undefined ? [] : [`  fix: ${escapeTerminal(error.fix)}`];
  return [`${escapeTerminal(what)} was not copied`, `  ${escapeTerminal(error.message)}`, ...fix];
}

function summaryLine(copies: readonly ProjectCopy[], skipped: number): string {
  if (skipped > 0) return `${formatNumber(skipped, "thing")} left out; run it again for the rest.`;
  const all = copies.flatMap(({ pieces }) => Object.values(pieces)).reduce((sum, count) => sum + count, 0);
  if (all === 0) return "There is nothing to copy.";
  const present = copies.reduce((sum, copy) => sum + copy.present, 0);
  if (present === all) return "Everything was there already, the same to the byte.";
  return "Everything is there, the same to the byte. The source is as it was.";
}
