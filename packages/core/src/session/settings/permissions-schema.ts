import { parseRule } from "../../permissions/parse-rule.ts";
import type { PermissionRules } from "../../spec/index.ts";
import { fieldsOf, listOf, type Schema } from "./schema.ts";

const rule: Schema = {
  kind: "text",
  refuse(text) {
    const parsed = parseRule(text);
    if (parsed.ok) return undefined;
    const { problem, instead } = parsed.error.facts;
    return {
      problem: `${JSON.stringify(text)} is no permission rule: ${problem}`,
      fix: `write it like ${JSON.stringify(instead)}`,
    };
  },
};

export const permissionsSchema: Schema = fieldsOf<PermissionRules>({
  allow: listOf(rule),
  ask: listOf(rule),
  deny: listOf(rule),
});
