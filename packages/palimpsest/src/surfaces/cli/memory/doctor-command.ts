import type { MemoryDoctorReport, MemoryFindingKind } from "@palimpsest/core/spec";
import { wrapBehind } from "../config/wrap-text.ts";
import { formatBytes, formatNumber } from "../format-amount.ts";
import { toHarmless, toJson } from "../harmless.ts";
import { renderTable } from "../table.ts";
import type { CommandContext } from "../terminal.ts";
import { openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface DoctorOptions extends TargetOptions {
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
    wrapBehind("- ", `${toHarmless(path)} (${kind}): ${toHarmless(detail)}`, columns),
  );
}

function indexLine({ memories, index }: MemoryDoctorReport): string {
  const over = index.isOverLimit ? ", over its limits: shorten or merge" : "";
  return `${formatNumber(memories, "memory", "memories")}; MEMORY.md has ${formatNumber(index.lines, "line")}, ${formatBytes(index.bytes)}${over}`;
}
