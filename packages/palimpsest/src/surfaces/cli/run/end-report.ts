import { maskSecrets } from "@palimpsest/core/internal";
import type { RunEnd, RunEndReason } from "@palimpsest/core/spec";
import type { exitCodes } from "../exit-codes.ts";
import { formatCount, formatNumber } from "../format-amount.ts";
import { toHarmless } from "../harmless.ts";
import type { Style } from "../style.ts";

/** How the program ends for each way a run can. */
export const exitOf: Readonly<Record<RunEndReason, keyof typeof exitCodes>> = {
  done: "done",
  "max-turns": "failed",
  "token-budget": "failed",
  "dollar-budget": "failed",
  "day-budget": "failed",
  "time-budget": "failed",
  aborted: "interrupted",
  blocked: "blocked",
  hook: "failed",
  refusal: "failed",
  "max-output": "failed",
  error: "failed",
};

/** What everybody is told about a run that did not come to its end, and how to go on. */
export function endLines(session: string, end: RunEnd, style: Style): readonly string[] {
  const { reason, message = reason, error } = end;
  if (reason === "done") return [];
  const goOn = `  ${style.bold("go on:")} palimpsest run --resume ${toHarmless(session)} -p "…"`;
  if (reason === "aborted") return ["Interrupted. The session is kept.", goOn];
  const fix = error?.fix;
  return [
    `${style.red(style.bold("error:"))} ${toHarmless(maskSecrets(message))}`,
    ...(fix === undefined ? [] : [`  ${style.bold("fix:")} ${toHarmless(maskSecrets(fix))}`]),
    goOn,
  ];
}

/** What a person who watches is told at the end. */
export function summaryLine(session: string, end: RunEnd, style: Style): string {
  const { usage, requests, dollars, durationMs, reason } = end;
  const input = usage.input + usage.cacheRead + usage.cacheCreation;
  const parts = [
    formatNumber(requests, "request"),
    `${formatCount(input)} in, ${formatCount(usage.output)} out`,
    `$${dollars.toFixed(4)}`,
    `${(durationMs / 1000).toFixed(1)} s`,
  ];
  const name = reason === "done" ? `\n${toHarmless(session)}` : "";
  return style.dim(parts.join(" · ") + name);
}
