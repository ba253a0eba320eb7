import type { LogDamage } from "@palimpsest/core/spec";
import { escapeTerminal } from "../../cli/escape-terminal.ts";
import { formatCount, formatNumber } from "../../cli/format-amount.ts";

/** What of a log could not be read, in a line for a person. */
export function logDamage({ kind, offset, bytes, reason }: LogDamage): string {
  return `${kind}: ${formatNumber(bytes, "byte")} at byte ${formatCount(offset)}: ${escapeTerminal(reason)}`;
}
