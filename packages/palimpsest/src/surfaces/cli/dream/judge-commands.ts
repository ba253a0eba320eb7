import { exitWith, orThrow } from "../../local/or-throw.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatNumber } from "../../terminal/format-amount.ts";
import { findDream, openDreamTarget, type TargetOptions } from "./dream-target.ts";

export async function runApply(
  context: CommandContext,
  named: string,
  options: TargetOptions,
): Promise<void> {
  const dreams = await openDreamTarget(context, options);
  const id = await findDream(dreams, named);
  const { state, changeSet } = orThrow(await dreams.changes.applyReviewed(id));
  const count = formatNumber(changeSet.changes.length, "change");
  await answer(context, options, { id, state }, `applied ${id}: ${count}`);
}

export async function runDiscard(
  context: CommandContext,
  named: string,
  options: TargetOptions,
): Promise<void> {
  const dreams = await openDreamTarget(context, options);
  const id = await findDream(dreams, named);
  orThrow(await dreams.changes.discard(id));
  await answer(context, options, { id, state: "discarded" }, `discarded ${id}; memory is as it was`);
}

export async function runUndo(context: CommandContext, named: string, options: TargetOptions): Promise<void> {
  const dreams = await openDreamTarget(context, options);
  const id = await findDream(dreams, named);
  const { state, kept } = orThrow(await dreams.changes.revert(id));
  await answer(context, options, { id, state, kept }, `took back ${id}`);
  for (const path of kept)
    context.terminal.say(`kept ${escapeTerminal(path)}: it was changed since, in the same place`);
  if (kept.length > 0) exitWith("failed");
}

async function answer(
  { terminal }: CommandContext,
  { json }: TargetOptions,
  document: object,
  line: string,
): Promise<void> {
  await terminal.write(json ? toJson(document) : `${escapeTerminal(line)}\n`);
}
