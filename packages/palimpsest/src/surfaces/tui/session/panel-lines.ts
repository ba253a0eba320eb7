import { wrapBehind } from "../../cli/config/wrap-text.ts";
import { formatCount } from "../../cli/format-amount.ts";
import type { Cost } from "../state/chat-state.ts";
import { chatCommands } from "../state/commands.ts";

const keys: readonly (readonly [key: string, does: string])[] = [
  ["Enter", "send; while the model works: say more, heard after its round"],
  ["Alt+Enter, \\ Enter", "a new line"],
  ["↑ ↓", "lines, then earlier prompts of this project"],
  ["Tab", "take the command or file that is offered"],
  ["@", "name a file of this folder"],
  ["Ctrl+C, Esc", "interrupt; Ctrl+C twice quits"],
  ["Ctrl+D", "quit, where nothing is written"],
  ["Ctrl+O", "the transcript, with what was cleared, folded and compacted"],
  ["Ctrl+T", "tool cards wide or narrow, from here on"],
  ["Ctrl+A/E/U/K/W", "to the line's start and end; delete to them, and a word"],
];

const keyColumns = 20;

export function helpLines(columns: number): readonly string[] {
  const row = (name: string, does: string) => wrapBehind(`  ${name.padEnd(keyColumns)} `, does, columns);
  return [
    ...keys.flatMap(([name, does]) => row(name, does)),
    "",
    ...chatCommands.flatMap(({ name, form, summary }) =>
      row(form === undefined ? `/${name}` : `/${name} ${form}`, summary),
    ),
  ];
}

export function costLines({ dollars, requests, usage, cacheShare }: Cost): readonly string[] {
  const prompt = usage.input + usage.cacheRead + usage.cacheCreation;
  const row = (name: string, value: string) => `  ${name.padEnd(keyColumns)} ${value}`;
  const share = (part: number, whole: number) =>
    whole === 0 ? "" : ` (${Math.floor((part / whole) * 100)}%)`;
  return [
    row("dollars", `$${dollars.toFixed(4)}`),
    row("requests", formatCount(requests)),
    row("tokens in", formatCount(prompt)),
    row("  from the cache", `${formatCount(usage.cacheRead)}${share(usage.cacheRead, prompt)}`),
    row("  written to it", formatCount(usage.cacheCreation)),
    row("  neither", formatCount(usage.input)),
    row("tokens out", formatCount(usage.output)),
    ...(cacheShare === undefined
      ? []
      : [row("newest prompt", `${Math.floor(cacheShare * 100)}% from the cache`)]),
  ];
}
