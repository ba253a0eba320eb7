import type { MemoryType, UserMessageRecord } from "../../../spec/index.ts";
import type { KnownMemory } from "./memory-types.ts";
import { sentencesOf } from "./sentences.ts";
import { spokenText } from "./spoken-text.ts";
import { findRule, type StatementRule } from "./statement-rules.ts";
import { statementType } from "./statement-type.ts";
import { saysSame, significantWords } from "./word-overlap.ts";

/** Something the user has said outright to be known next time. */
export interface Statement {
  readonly type: MemoryType;
  readonly rule: StatementRule;
  /** In the user's words. */
  readonly text: string;
  /** Messages it was said in. */
  readonly entries: readonly string[];
}

/** What the user has said outright, in order, each once. No model is asked, and nothing is guessed. */
export function extractStatements(messages: readonly UserMessageRecord[]): readonly Statement[] {
  const found: Statement[] = [];
  for (const { entry, text } of messages) {
    for (const sentence of sentencesOf(spokenText(text))) {
      const rule = findRule(sentence);
      if (!rule) continue;
      const statement: Statement = {
        type: statementType(rule),
        rule: rule.rule,
        text: asSentence(rule.text),
        entries: [entry],
      };
      const same = found.findIndex((one) => isSame(one.text, statement.text));
      const former = found[same];
      if (!former) found.push(statement);
      else found[same] = { ...former, entries: [...new Set([...former.entries, entry])] };
    }
  }
  return found;
}

/** The memory that says it already; `undefined` where none does. */
export function knownAs(statement: Statement, memories: readonly KnownMemory[]): KnownMemory | undefined {
  const wanted = significantWords(statement.text);
  return memories.find(({ name, description, body }) =>
    [name, description, ...sentencesOf(body)].some((text) => saysSame(wanted, text)),
  );
}

function isSame(one: string, other: string): boolean {
  return saysSame(significantWords(one), other) && saysSame(significantWords(other), one);
}

function asSentence(text: string): string {
  const trimmed = text.trim().replaceAll(/\s+/g, " ");
  const [first = ""] = trimmed;
  return (
    first.toUpperCase() +
    trimmed
      .slice(first.length)
      .replace(/[\s,;:–—-]*$/, "")
      .replace(/([^.!…])$/, "$1.")
  );
}
