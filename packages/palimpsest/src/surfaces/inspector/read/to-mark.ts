import { isFreezeOnly } from "@palimpsest/core/internal";
import type { Decision, Entry } from "@palimpsest/core/spec";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { formatCount, formatDollars, formatNumber } from "../../terminal/format-amount.ts";
import type { SessionMark } from "../inspected.ts";

/** A mark that no request shows yet. */
export type WaitingMark = Omit<SessionMark, "request">;

/** The chart's mark for an entry; `null` for most. */
export function toMark(entry: Entry): WaitingMark | null {
  const { seq } = entry;
  if (entry.kind === "note" && entry.note.topic === "notes")
    return { seq, kind: "notes", text: `Session notes, written by the ${entry.note.by}`, freed: 0 };
  if (entry.kind === "note" && entry.note.topic === "fork" && entry.note.forkKind === "keep-warm") {
    const { dollars, usage } = entry.note;
    const found = usage === undefined || usage.cacheRead > usage.cacheCreation ? "" : ", which missed";
    const spent = typeof dollars === "number" ? `, ${formatDollars(dollars)}` : "";
    return { seq, kind: "keep-warm", text: `A read that keeps the cache warm${found}${spent}`, freed: 0 };
  }
  if (entry.kind !== "decision") return null;
  const { decision } = entry;
  const kind = kindOf(decision);
  if (kind === null) return null;
  const why = `${decisionText(decision)} (${escapeTerminal(decision.reason)})`;
  return { seq, kind, text: why, freed: Math.max(0, freedBy(decision)) };
}

function kindOf(decision: Decision): SessionMark["kind"] | null {
  switch (decision.type) {
    case "compact":
      return "compaction";
    case "clear":
    case "cache-edit":
    case "strip-thinking":
      return "clear";
    case "offload":
      return isFreezeOnly(decision) ? null : "offload";
    case "fold":
    case "snip":
    case "restore":
    case "rewind":
      return decision.type;
    case "repair":
      return null;
  }
}

/** A decision's effect and what it freed, in a few words. */
export function decisionText(decision: Decision): string {
  return `${describeEffect(decision)}${freedText(decision)}`;
}

function describeEffect(decision: Decision): string {
  switch (decision.type) {
    case "compact":
      return `Compaction, ${escapeTerminal(decision.strategy)}`;
    case "clear":
    case "cache-edit":
      return `Cleared ${formatNumber(decision.parts.length, "part")} of tool calls`;
    case "strip-thinking":
      return "Left thinking out";
    case "offload":
      return `Offloaded ${offloadedText(decision)}`;
    case "fold":
      return "Folded finished work";
    case "snip":
      return `Snipped ${formatNumber(decision.entries.length, "entry", "entries")}`;
    case "repair":
      return "Repaired the request";
    case "restore":
      return "Undid an earlier decision";
    case "rewind":
      return "Rewound the conversation";
  }
}

function offloadedText({ results, blocks = [] }: Extract<Decision, { readonly type: "offload" }>): string {
  const stored = results.filter(({ preview }) => preview !== null).length;
  const ofPrompts = blocks.reduce((sum, { block, lastBlock = block }) => sum + lastBlock - block + 1, 0);
  const parts = [
    ...(stored > 0 || blocks.length === 0 ? [formatNumber(stored, "result")] : []),
    ...(blocks.length > 0 ? [formatNumber(ofPrompts, "part of a prompt", "parts of a prompt")] : []),
  ];
  return parts.join(" and ");
}

function freedText(decision: Decision): string {
  const freed = freedBy(decision);
  return freed > 0 ? `, ${formatCount(freed)} tokens freed` : "";
}

function freedBy(decision: Decision): number {
  if (decision.type !== "compact" || decision.frees > 0) return decision.frees;
  return decision.tokensBefore - decision.tokensAfter;
}
