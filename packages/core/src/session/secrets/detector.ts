import { isPlaceholder, type SecretFinding } from "./known-tokens.ts";

/** Finds what is known to be secret. */
export type Detector = (text: string) => Promise<readonly SecretFinding[]>;

/** Its comments in a text could turn the detector off: a text that is looked at must not decide that. */
const commentsRule = "@secretlint/secretlint-rule-filter-comments";

/** Its marks of how long each rule took stay for as long as the process lives, and each is compared with all of them. */
const measureNothing = () => undefined;

/** The rules of secretlint, loaded with the first text. */
export async function loadDetector(): Promise<Detector> {
  const [{ lintSource }, { creator }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("@secretlint/profiler"),
  ]);
  secretLintProfiler.mark = measureNothing;
  const rules = [{ id: creator.meta.id, rule: creator, rules: [{ id: commentsRule, disabled: true }] }];
  return async (text) => {
    const source = { filePath: "memory.txt", content: text, contentType: "text" as const };
    const { messages } = await lintSource({ source, options: { config: { rules } } });
    return messages.flatMap(({ ruleId, data, range }) =>
      valuesOf(data, text.slice(...range)).map((value) => ({ kind: kindOf(ruleId), value })),
    );
  };
}

/**
 * A rule says which text it means by its data; the range of some begins at the name before it and so ends too early. Of a
 * connection string only the password is secret.
 */
function valuesOf(data: object | undefined, inRange: string): readonly string[] {
  const given = Object.values(data ?? {}).filter((value) => typeof value === "string" && value.length >= 8);
  const values = given.length > 0 ? (given as readonly string[]) : [inRange];
  return values
    .map((value) => /^[a-z][\w+.:-]*:\/\/[^\s:/@]*:([^\s/]+)@/i.exec(value)?.[1] ?? value)
    .filter((value) => !isPlaceholder(value));
}

/** Where our own rules have another name for the same. */
const ownNames: Readonly<Record<string, string>> = { privatekey: "private-key", gcp: "private-key" };

function kindOf(ruleId: string): string {
  const rule = ruleId.replace(/^.*secretlint-rule-/, "");
  return ownNames[rule] ?? rule;
}
