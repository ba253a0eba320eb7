import type { PermissionMode, PermissionRules, RunOptions } from "@palimpsest/core/spec";
import { checkRules } from "../../../tools/permissions/index.ts";
import { UsageError } from "../usage-error.ts";

/** The options of `run` as they were typed. */
export interface RunChoices {
  readonly prompt?: string;
  readonly output: "text" | "json" | "stream-json";
  readonly resume?: string;
  readonly continue?: boolean;
  readonly model?: string;
  readonly fallbackModel?: string;
  readonly instructions?: string;
  readonly rules: boolean;
  readonly cwd?: string;
  readonly maxTurns?: number;
  readonly budget?: number;
  readonly budgetTokens?: number;
  readonly budgetTime?: number;
  readonly permissionMode: PermissionMode;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly addDir?: readonly string[];
}

/** Throws a `UsageError` with the right form where a rule cannot be read. */
export function rulesOf({ allow = [], deny = [] }: Pick<RunChoices, "allow" | "deny">): PermissionRules {
  for (const [option, texts] of [
    ["--allow", allow],
    ["--deny", deny],
  ] as const) {
    const checked = checkRules({ allow: texts });
    if (checked.ok) continue;
    const { rule, problem } = checked.error.facts;
    const instead = rightForm(checked.error.facts.instead);
    throw new UsageError(
      `${option} ${JSON.stringify(rule)} is no permission rule: ${problem}; use: ${option} ${JSON.stringify(instead)}`,
    );
  }
  return { allow, deny };
}

/** What is advised must itself be a rule. */
function rightForm(instead: unknown): string {
  return typeof instead === "string" && checkRules({ allow: [instead] }).ok ? instead : "Bash(git status:*)";
}

/** How much a run may use up. */
export function limitsOf(choices: RunChoices): Pick<RunOptions, "maxTurns" | "budget"> {
  const { maxTurns, budget: dollars, budgetTokens: tokens, budgetTime: timeMs } = choices;
  return {
    ...(maxTurns !== undefined && { maxTurns }),
    budget: {
      ...(dollars !== undefined && { dollars }),
      ...(tokens !== undefined && { tokens }),
      ...(timeMs !== undefined && { timeMs }),
    },
  };
}
