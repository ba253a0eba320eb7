import type { HookAnswer, HookName } from "../../spec/index.ts";

/** An answer of one hook, and what is odd about it. */
export interface ReadHookAnswer {
  readonly answer: HookAnswer;
  readonly warnings: readonly string[];
}

const texts = ["block", "stop", "context", "message", "reason"] as const;
const permissions = ["allow", "ask", "deny"] as const;

/** What a program printed before it ended with 0: an object in JSON is an answer, anything else is context. */
export function readOutput(output: string, name: HookName): ReadHookAnswer {
  const text = output.trim();
  if (text === "") return { answer: {}, warnings: [] };
  if (!text.startsWith("{")) return { answer: { context: text }, warnings: [] };
  try {
    return readAnswer(JSON.parse(text), name);
  } catch {
    return { answer: {}, warnings: ["printed something that begins like JSON and is not; it was ignored"] };
  }
}

/** Takes the fields of an answer that are what they should be; the others are named and left out. */
export function readAnswer(value: unknown, name: HookName): ReadHookAnswer {
  if (value === undefined || value === null) return { answer: {}, warnings: [] };
  if (typeof value !== "object" || Array.isArray(value)) {
    return { answer: {}, warnings: ["its answer is not an object; it was ignored"] };
  }
  const warnings: string[] = [];
  const fields = Object.entries(value).filter(([field, said]) => {
    const problem = said === undefined ? undefined : problemOf(field, said, name);
    if (problem !== undefined) warnings.push(`${field} ${problem}; it was ignored`);
    return said !== undefined && problem === undefined;
  });
  return { answer: Object.fromEntries(fields), warnings };
}

function problemOf(field: string, said: unknown, name: HookName): string | undefined {
  if ((texts as readonly string[]).includes(field)) {
    return typeof said === "string" ? undefined : "is no text";
  }
  if (field === "permission") {
    if (name !== "PreToolUse" && name !== "PermissionRequest") return `has no effect on ${name}`;
    return (permissions as readonly unknown[]).includes(said) ? undefined : "is not allow, ask or deny";
  }
  if (field === "input") return name === "PreToolUse" ? undefined : `has no effect on ${name}`;
  return "is nothing that a hook can answer";
}
