import { fail, type HookName, ok, type Result } from "../../spec/index.ts";
import { hookNames } from "../settings/hooks-schema.ts";
import { nearestName } from "../settings/nearest-name.ts";

/** Hooks of the program as TypeScript would have them, for those who do not use it. */
export function checkHookFunctions(hooks: unknown): Result<void> {
  if (hooks === undefined) return ok();
  if (typeof hooks !== "object" || hooks === null || Array.isArray(hooks))
    return refused("hooks", "an object with lists of functions by the hook's name", hooks);
  for (const [name, functions] of Object.entries(hooks)) {
    const path = `hooks.${name}`;
    if (!hookNames.includes(name as HookName)) return unknownHook(path, name);
    if (functions === undefined) continue;
    if (!Array.isArray(functions)) return refused(path, "a list of functions", functions);
    const wrong = functions.findIndex((one) => typeof one !== "function");
    if (wrong !== -1) return refused(`${path}[${wrong}]`, "a function", functions[wrong]);
  }
  return ok();
}

function refused(path: string, expected: string, got: unknown): Result<never> {
  const kind = typeof got === "object" ? "an object" : `a ${typeof got}`;
  const what = got === null ? "null" : Array.isArray(got) ? "a list" : kind;
  const fix = "Write hooks: { PreToolUse: [(input) => …] }; commands belong under settings.hooks.";
  return fail("invalid-input", `${path}: expected ${expected}, got ${what}.`, { path, fix });
}

function unknownHook(path: string, name: string): Result<never> {
  const meant = nearestName(name, hookNames);
  const fix = meant === undefined ? `Known are ${hookNames.join(", ")}.` : `Did you mean ${meant}?`;
  return fail("invalid-input", `${path}: there is no such hook.`, { path, fix });
}
