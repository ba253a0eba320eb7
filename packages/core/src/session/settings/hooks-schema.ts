import type { HookCommand, HookName, HookRule, HookSettings } from "../../spec/index.ts";
import { showValue } from "./explain-mismatch.ts";
import { fieldsOf, listOf, type Schema, type ValueRefusal } from "./schema.ts";

/** The longest that a timer of the machine can wait. */
const maxTimeoutMs = 2_147_483_647;

const word: Schema = {
  kind: "text",
  mayBeBlank: true,
  refuse: (text) =>
    text.includes("\0") ? { problem: "has a NUL character", fix: "remove the character" } : undefined,
};

const command: Schema = {
  kind: "list",
  items: word,
  refuse(value): ValueRefusal | undefined {
    const expected = "expected the program and its arguments as a list";
    if (typeof value === "string") {
      const words = value.split(/\s+/).filter(Boolean);
      const fix = `write ${JSON.stringify(words.length > 0 ? words : ["./check.sh"])}; no shell reads it`;
      return { problem: `${expected}, got ${showValue(value)}`, fix };
    }
    if (
      Array.isArray(value) &&
      typeof (value[0] ?? "") === "string" &&
      String(value[0] ?? "").trim() === ""
    ) {
      return { problem: `${expected}, got no program`, fix: 'write ["./check.sh"]' };
    }
    return undefined;
  },
};

const variable: Schema = {
  kind: "text",
  refuse: (text) =>
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
      ? undefined
      : {
          problem: `${showValue(text)} is not the name of a variable`,
          fix: "write its name, without a value",
        },
};

const matcher: Schema = {
  kind: "text",
  refuse: (text) =>
    /^[\w.:*-]+(?:\|[\w.:*-]+)*$/.test(text)
      ? undefined
      : {
          problem: `${showValue(text)} is no matcher`,
          fix: 'write names with | between them, such as "Edit|Write"; * stands for anything',
        },
};

const noMatcher: Schema = {
  kind: "text",
  mayBeBlank: true,
  refuse: () => ({ problem: "there is nothing to match here", fix: "remove the matcher" }),
};

const hookCommand = fieldsOf<HookCommand>(
  {
    command,
    timeoutMs: { kind: "number", whole: true, least: 1, most: maxTimeoutMs },
    environment: listOf(variable),
  },
  ["command"],
);

function rules(matching: Schema): Schema {
  return listOf(fieldsOf<HookRule>({ matcher: matching, hooks: listOf(hookCommand) }, ["hooks"]));
}

const matched = rules(matcher);
const unmatched = rules(noMatcher);

const hookFields: { readonly [Name in HookName]: Schema } = {
  SessionStart: matched,
  SessionEnd: matched,
  UserPromptSubmit: unmatched,
  PermissionRequest: matched,
  PreToolUse: matched,
  PostToolUse: matched,
  PreCompact: matched,
  PostCompact: matched,
  Stop: unmatched,
  SubagentStart: matched,
  SubagentStop: matched,
};

/** Every hook there is. */
export const hookNames = Object.keys(hookFields) as readonly HookName[];

/** The schema of `createHooks`: commands are lists of words, since no data may pass through a shell's line. */
export const hooksSchema: Schema = fieldsOf<HookSettings>(hookFields);
