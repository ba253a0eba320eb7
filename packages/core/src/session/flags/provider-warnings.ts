import type { SettingWarning } from "../../view/setting-values.ts";
import type { ProviderAnswers } from "./ask-provider.ts";
import { flagNames } from "./flag-table.ts";

/** One warning per reason, however many flags it is about. */
export function providerWarnings(answers: ProviderAnswers): readonly SettingWarning[] {
  const { provider, failures, problem } = answers;
  const setting = `flag provider ${provider}`;
  const flagsByReason = new Map<string, string[]>();
  for (const { flag, reason } of failures) {
    flagsByReason.set(reason, [...(flagsByReason.get(reason) ?? []), flag]);
  }
  const warnings = [...flagsByReason].map(([reason, flags]) => {
    const value = flags.length > flagNames.length ? "every flag" : flags.join(", ");
    const message = `The ${setting} failed on ${value}: ${reason}. Settings and defaults are used.`;
    return { setting, value, message };
  });
  if (problem === undefined) return warnings;
  const message = `The ${setting} failed: ${problem}. Where it has no answer, settings and defaults are used.`;
  return [{ setting, value: "", message }, ...warnings];
}
