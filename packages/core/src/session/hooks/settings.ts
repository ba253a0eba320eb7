import type { GenericSchema } from "valibot";
import { structured } from "../../settings/declare.ts";
import { showValue } from "../../settings/explain-mismatch.ts";
import {
  anyTextSchema,
  fieldsOf,
  listOf,
  numberSchema,
  refusing,
  refusingAny,
  textSchema,
  type ValueRefusal,
} from "../../settings/schemas.ts";
import type { HookCommand, HookName, HookRule, HookSettings } from "../../spec/index.ts";

/** The longest that a timer of the machine can wait. */
const maxTimeoutMs = 2_147_483_647;

const word = refusing(anyTextSchema, (text) =>
  text.includes("\0") ? { problem: "has a NUL character", fix: "remove the character" } : undefined,
);

const command = refusingAny(listOf(word), (value): ValueRefusal | undefined => {
  const expected = "expected the program and its arguments as a list";
  if (typeof value === "string") {
    const words = value.split(/\s+/).filter(Boolean);
    const fix = `write ${showValue(words.length > 0 ? words : ["./check.sh"])}; no shell reads it`;
    return { problem: `${expected}, got ${showValue(value)}`, fix };
  }
  if (Array.isArray(value) && typeof (value[0] ?? "") === "string" && String(value[0] ?? "").trim() === "") {
    return { problem: `${expected}, got no program`, fix: 'write ["./check.sh"]' };
  }
  return undefined;
});

const variable = refusing(textSchema, (text) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
    ? undefined
    : {
        problem: `${showValue(text)} is not the name of a variable`,
        fix: "write its name, without a value",
      },
);

const matcher = refusing(textSchema, (text) =>
  /^[\w.:*-]+(?:\|[\w.:*-]+)*$/.test(text)
    ? undefined
    : {
        problem: `${showValue(text)} is no matcher`,
        fix: 'write names with | between them, such as "Edit|Write"; * stands for anything',
      },
);

const noMatcher = refusing(anyTextSchema, () => ({
  problem: "there is nothing to match here",
  fix: "remove the matcher",
}));

const hookCommand = fieldsOf<HookCommand>(
  {
    command,
    timeoutMs: numberSchema({ whole: true, least: 1, most: maxTimeoutMs }),
    environment: listOf(variable),
  },
  ["command"],
);

function rules(matching: GenericSchema<string>): GenericSchema<readonly HookRule[]> {
  return listOf(fieldsOf<HookRule>({ matcher: matching, hooks: listOf(hookCommand) }, ["hooks"]));
}

const matched = rules(matcher);
const unmatched = rules(noMatcher);

const hookFields: { readonly [Name in HookName]: GenericSchema<readonly HookRule[]> } = {
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
export const hookNames: readonly HookName[] = Object.keys(hookFields).filter(isHookName);

export function isHookName(name: string): name is HookName {
  return Object.hasOwn(hookFields, name);
}

/** The schema of `createHooks`: commands are lists of words, since no data may pass through a shell's line. */
export const hooksSchema: GenericSchema<HookSettings> = fieldsOf<HookSettings>(hookFields);

export const hookSettings = {
  hooks: structured(
    hooksSchema,
    "commands that run while a session does; those of all files and options run",
    {
      isHidden: true,
      example: { PreToolUse: [{ matcher: "Edit|Write", hooks: [{ command: ["./check.sh"] }] }] },
    },
  ),
};
