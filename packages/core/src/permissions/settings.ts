import { structured } from "../settings/declare.ts";
import { showValue } from "../settings/explain-mismatch.ts";
import { listOf, refusing, textSchema } from "../settings/schemas.ts";
import { parseRule } from "./parse-rule.ts";

const rule = refusing(textSchema, (text) => {
  const parsed = parseRule(text);
  if (parsed.ok) return undefined;
  const { problem, instead } = parsed.error.facts;
  return {
    problem: `${showValue(text)} is not a permission rule: ${problem}`,
    fix: `write it like ${showValue(instead)}`,
  };
});

/** Permission rules; those of all files and options are combined. */
export const permissionSettings = {
  allow: structured(listOf(rule), "allowed without asking, by rules", {
    example: ["Bash(npm test)", "Edit(src/**)"],
  }),
  ask: structured(listOf(rule), "always asked for, by rules; wins over `permissions.allow`", {
    isProtecting: true,
    example: ["Bash(git push:*)"],
  }),
  deny: structured(
    listOf(rule),
    "never allowed, by rules; wins over `permissions.allow` and `permissions.ask`",
    { isProtecting: true, example: ["Read(//etc/**)", "WebFetch"] },
  ),
};
