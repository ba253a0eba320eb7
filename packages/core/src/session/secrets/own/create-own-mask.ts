import { isPlainObject } from "../../../json/json-values.ts";
import {
  type ContentBlock,
  type EntryDraft,
  isBlock,
  type Message,
  PalimpsestError,
} from "../../../spec/index.ts";
import { createRunFinder } from "./find-runs.ts";
import { type OwnSecret, ownSecretsOf } from "./own-secrets.ts";

/** Masks the keys of the process itself. What holds none is given back as the very same value. */
export interface OwnSecretMask {
  text(text: string): string;
  /** Every string of a value, keys of objects too; not what is opaque: thinking, signatures, encrypted or binary content. */
  value<T>(value: T): T;
  /** An error with all it was caused by. */
  error<T>(error: T): T;
  /** Names masked in `masked`, once each: it is what `text` or `value` made of something. */
  namesIn(masked: unknown): readonly string[];
}

/** Masks nothing. */
export const noMask: OwnSecretMask = {
  text: (text) => text,
  value: (value) => value,
  error: (error) => error,
  namesIn: () => [],
};

/** Fields of blocks that nobody reads as text, or that must come back as they were. */
const opaqueFields: ReadonlySet<string> = new Set([
  "signature",
  "encrypted_content",
  "encrypted_index",
  "tool_use_id",
  "toolUseId",
]);
const opaqueTypes: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking", "base64"]);

/** How deep causes of causes are followed. */
const maxCauses = 8;

export function createOwnMask(secrets: readonly OwnSecret[]): OwnSecretMask {
  if (secrets.length === 0) return noMask;
  const findRuns = createRunFinder(secrets);
  const marks = new Map(secrets.map(({ name }) => [markOf(name), name]));

  function text(before: string): string {
    const runs = findRuns(before);
    if (runs.length === 0) return before;
    let after = "";
    let done = 0;
    for (const { start, end, name } of runs) {
      after += before.slice(done, characterStart(before, start)) + markOf(name);
      done = characterEnd(before, end);
    }
    return after + before.slice(done);
  }

  function ofList(before: readonly unknown[]): readonly unknown[] {
    const after = before.map(of);
    return after.some((item, at) => item !== before[at]) ? after : before;
  }

  function ofObject(before: object): object {
    if (opaqueTypes.has((before as { readonly type?: unknown }).type)) return before;
    let hasChanged = false;
    const after = Object.entries(before).map(([key, value]) => {
      const masked = [text(key), opaqueFields.has(key) ? value : of(value)] as const;
      if (masked[0] !== key || masked[1] !== value) hasChanged = true;
      return masked;
    });
    return hasChanged ? Object.fromEntries(after) : before;
  }

  function of(before: unknown): unknown {
    if (typeof before === "string") return text(before);
    if (Array.isArray(before)) return ofList(before);
    if (before instanceof Error) return ofError(before, maxCauses);
    return isPlainObject(before) ? ofObject(before) : before;
  }

  function ofError(before: Error, causes: number): Error {
    const message = text(before.message);
    const stack = before.stack === undefined ? undefined : text(before.stack);
    const cause = causesOf(before.cause, causes);
    const own = PalimpsestError.isInstance(before) ? ofOurs(before, message, cause) : undefined;
    const isSame = message === before.message && stack === before.stack && cause === before.cause;
    if (isSame && (own === undefined ? !hasSecretField(before) : own === before)) return before;
    const details = cause === undefined ? undefined : { cause };
    const after = own ?? Object.assign(new Error(message, details), { name: before.name });
    if (stack !== undefined) after.stack = stack;
    return after;
  }

  /** As `stderr` of a program that failed: such an error is handed on without its fields. */
  function hasSecretField(error: Error): boolean {
    return Object.values(error).some((value) => typeof value === "string" && text(value) !== value);
  }

  function causesOf(cause: unknown, left: number): unknown {
    if (typeof cause === "string") return text(cause);
    if (!(cause instanceof Error)) return cause;
    return left === 0 ? undefined : ofError(cause, left - 1);
  }

  function ofOurs(before: PalimpsestError, message: string, cause: unknown): PalimpsestError {
    const { code, retryable, fix, path, facts } = before;
    const after = {
      ...(fix !== undefined && { fix: text(fix) }),
      ...(path !== undefined && { path: text(path) }),
      facts: of(facts) as PalimpsestError["facts"],
    };
    const isSame =
      message === before.message &&
      cause === before.cause &&
      after.fix === fix &&
      after.path === path &&
      after.facts === facts;
    if (isSame) return before;
    return new PalimpsestError(code, message, { retryable, ...after, ...(cause !== undefined && { cause }) });
  }

  return {
    text,
    value: <T>(value: T) => of(value) as T,
    error: <T>(error: T) => (error instanceof Error ? ofError(error, maxCauses) : of(error)) as T,
    namesIn(masked) {
      const json = JSON.stringify(masked) ?? "";
      return [...marks].filter(([mark]) => json.includes(mark)).map(([, name]) => name);
    },
  };
}

/** Names come from people and their programs: a mark has one line and one end, and reads the same inside JSON. */
function markOf(name: string): string {
  return `[masked: ${name.replaceAll(/[^\w.:@/ -]/g, "_").slice(0, 80)}]`;
}

const isHigh = (code: number) => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number) => code >= 0xdc00 && code <= 0xdfff;

/** A character of two halves is masked whole. */
function characterStart(text: string, at: number): number {
  const isSplit = at > 0 && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));
  return isSplit ? at - 1 : at;
}

function characterEnd(text: string, at: number): number {
  const isSplit = at < text.length && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));
  return isSplit ? at + 1 : at;
}

/**
 * An entry before it is appended, without own keys in what came from outside: results of tools, attachments, what a
 * compaction brings back, what failures say. What the user and the model say stays as they said it, calls too: a mask
 * there would change the conversation, and thinking must come back to the byte.
 */
export function maskDraft(draft: EntryDraft, mask: OwnSecretMask): EntryDraft {
  switch (draft.kind) {
    case "message": {
      const message = maskMessage(draft.message, mask);
      return message === draft.message ? draft : { ...draft, message };
    }
    case "decision": {
      const { decision } = draft;
      if (decision.type !== "compact") return draft;
      const { attachments, modelFailure } = decision;
      const restored = withField(decision, "attachments", mask.value(attachments));
      const masked = withField(restored, "modelFailure", mask.value(modelFailure));
      return masked === decision ? draft : { ...draft, decision: masked };
    }
    case "note": {
      const note = draft.note.topic === "extraction" ? mask.value(draft.note) : draft.note;
      return note === draft.note ? draft : { ...draft, note };
    }
    default:
      return draft;
  }
}

function maskMessage(message: Message, mask: OwnSecretMask): Message {
  const { type, content } = message;
  if (type === "attachment") return withField(message, "content", mask.value(content));
  if (type !== "user" || typeof content === "string") return message;
  const masked = content.map((block) => maskResult(block, mask));
  return masked.some((block, at) => block !== content[at]) ? { ...message, content: masked } : message;
}

function maskResult(block: ContentBlock, mask: OwnSecretMask): ContentBlock {
  return isBlock(block, "tool_result") ? mask.value(block) : block;
}

/** The very same object where the field is. */
function withField<T extends object, Name extends keyof T>(whole: T, name: Name, value: T[Name]): T {
  return whole[name] === value ? whole : { ...whole, [name]: value };
}

export type EnvironmentMask = Pick<OwnSecretMask, "text" | "value" | "error">;

/** Masks the keys of an environment, where no session's mask is at hand; made with the first text. */
export function createEnvironmentMask(
  environment: Readonly<Record<string, string | undefined>>,
): EnvironmentMask {
  let mask: OwnSecretMask | undefined;
  const made = () => {
    mask ??= createOwnMask(ownSecretsOf({ environment }));
    return mask;
  };
  return {
    text: (text) => made().text(text),
    value: (value) => made().value(value),
    error: (error) => made().error(error),
  };
}
