import type { TreeVersion } from "@palimpsest/core/spec";
import { orThrow } from "../../local/or-throw.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatBytes, formatDate, formatNumber } from "../../terminal/format-amount.ts";
import { renderTable } from "../../terminal/table.ts";
import { findFile, openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface LogOptions extends TargetOptions {
  readonly limit?: number;
  readonly json?: boolean;
}

export async function runLog(
  context: CommandContext,
  named: string | undefined,
  options: LogOptions,
): Promise<void> {
  const { terminal } = context;
  const { memory, folder } = await openMemoryTarget(context, options);
  const path = named === undefined ? undefined : orThrow(await findFile(memory, named));
  const history = [...(await memory.history(path))].reverse();
  const shown = history.slice(0, options.limit);
  if (options.json) return terminal.write(toJson(shown.map(versionRow)));
  if (history.length === 0) return terminal.write(`Nothing was ever written to ${escapeTerminal(folder)}.\n`);
  const counted = formatNumber(history.length, "version");
  const footer = shown.length < history.length ? `${shown.length} of ${counted}` : counted;
  const lines = tableLines(shown, path === undefined, context);
  await terminal.write(`${[...lines, "", terminal.style.dim(footer)].join("\n")}\n`);
}

function versionRow({ path, version, at, author, session, source, sha256, bytes, removed }: TreeVersion) {
  return {
    path,
    version,
    at,
    author,
    session: session ?? null,
    source: source ?? null,
    sha256,
    bytes,
    removed: removed ?? false,
  };
}

function tableLines(
  shown: readonly TreeVersion[],
  hasPaths: boolean,
  { terminal }: CommandContext,
): readonly string[] {
  const { style, columns: width } = terminal;
  return renderTable({
    columns: [
      ...(hasPaths ? [{ header: "FILE", max: 28 }] : []),
      { header: "VERSION", align: "right" },
      { header: "WRITTEN" },
      { header: "BY", max: 8 },
      { header: "SIZE", align: "right" },
      { header: "FROM", isFlexible: true },
    ],
    rows: shown.map(({ path, version, at, author, bytes, removed, session, source }) => [
      ...(hasPaths ? [{ text: escapeTerminal(path), paint: style.cyan }] : []),
      { text: String(version) },
      { text: formatDate(at) },
      { text: escapeTerminal(author) },
      removed ? { text: "removed", paint: style.red } : { text: formatBytes(bytes) },
      {
        text: escapeTerminal([session, source].filter((word) => word !== undefined).join(" · ")),
        paint: style.dim,
      },
    ]),
    width,
    paintHeader: style.dim,
  });
}
