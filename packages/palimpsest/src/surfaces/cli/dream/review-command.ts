import type { DreamListing, DreamRecordState } from "@palimpsest/core/internal";
import { orThrow } from "../../local/or-throw.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatAge, formatNumber } from "../../terminal/format-amount.ts";
import { renderTable } from "../../terminal/table.ts";
import { changeLines, findDream, openDreamTarget, reasonLines, type TargetOptions } from "./dream-target.ts";

export async function runReview(
  context: CommandContext,
  named: string | undefined,
  options: TargetOptions,
): Promise<void> {
  const { terminal } = context;
  const dreams = await openDreamTarget(context, options);
  if (named !== undefined) {
    const record = orThrow(await dreams.changes.show(await findDream(dreams, named)));
    const { state, changeSet, reasons, kept } = record;
    if (options.json) return terminal.write(toJson({ state, reasons, kept, ...changeSet }));
    const head = `${changeSet.id} by the ${changeSet.by}, ${changeSet.at.slice(0, 16).replace("T", " ")}: ${stateWords[state]}`;
    const texts = changeSet.changes.flatMap((change) =>
      change.kind === "write" ? ["", escapeTerminal(change.path), ...toLines(change.text)] : [],
    );
    const waiting = reasons.length > 0 ? ["why:", ...reasonLines(reasons, terminal)] : [];
    const keptLines = kept.map((path) => `kept, changed since: ${escapeTerminal(path)}`);
    const lines = [
      terminal.style.bold(head),
      ...waiting,
      ...changeLines(changeSet, terminal),
      ...keptLines,
      ...texts,
      ...nextLines(changeSet.id, state).map(terminal.style.dim),
    ];
    return terminal.write(`${lines.join("\n")}\n`);
  }
  const listed = orThrow(await dreams.changes.list()).toReversed();
  if (options.json) return terminal.write(toJson(listed));
  if (listed.length === 0)
    return terminal.write("Nobody has dreamt here yet.\n  to begin:  palimpsest dream --dry-run\n");
  await terminal.write(`${[...tableLines(listed, context), "", footer(listed)].join("\n")}\n`);
}

const stateWords = {
  review: "waits for you",
  applying: "being applied",
  withdrawing: "being withdrawn",
  applied: "applied",
  reverting: "being undone",
  reverted: "undone",
} as const;

/** The next steps for a person. */
function nextLines(id: string, state: DreamRecordState): readonly string[] {
  if (state === "applied") return ["", `undo: palimpsest dream undo ${id}`];
  if (state !== "review") return [];
  return ["", `next: palimpsest dream apply ${id}`, `  or: palimpsest dream discard ${id}`];
}

function toLines(text: string): readonly string[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `    ${escapeTerminal(line)}`.trimEnd());
}

function tableLines(listed: readonly DreamListing[], { terminal, now }: CommandContext): readonly string[] {
  const { style, columns: width } = terminal;
  return renderTable({
    columns: [
      { header: "DREAM", max: 36 },
      { header: "AGE", align: "right" },
      { header: "CHANGES", align: "right" },
      { header: "STATE", isFlexible: true },
    ],
    rows: listed.map(({ id, at, changes, state }) => [
      { text: escapeTerminal(id), paint: style.cyan },
      { text: at === undefined ? "" : formatAge(now() - Date.parse(at)) },
      { text: String(changes ?? "") },
      {
        text: state === undefined ? "cannot be read: discard it" : stateWords[state],
        ...(state === "review" ? { paint: style.yellow } : {}),
      },
    ]),
    width,
    paintHeader: style.dim,
  });
}

function footer(listed: readonly DreamListing[]): string {
  const waiting = listed.filter(({ state }) => state === "review").length;
  const count = formatNumber(listed.length, "dream");
  return waiting === 0
    ? count
    : `${count}, ${waiting} for you: palimpsest dream review ID, then apply or discard`;
}
