import type { Redaction } from "../spec/index.ts";
import { redactText } from "./redact-text.ts";

export interface RedactedValue {
  /** The very same object where nothing was found in it. */
  readonly value: unknown;
  readonly occurrences: number;
  /** Opaque blocks that held the secret, and were taken out whole. */
  readonly droppedBlocks: number;
}

export interface RedactValueOptions {
  /** Asked for every string and object; what it gives stands for all of it, which is then not looked into. */
  readonly substitute?: (value: string | object) => Substitute | undefined;
  /** The value stands inside a message's content, where a number is data and thinking is opaque. */
  readonly isContent?: boolean;
}

export interface Substitute {
  readonly value: unknown;
  readonly occurrences: number;
}

const opaqueTypes: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking"]);

/**
 * Takes the secret out of every string and key of a value. Inside content a thinking block is never edited: it goes
 * whole; and a number whose digits hold the secret becomes the replacement.
 */
export function redactValue(
  value: unknown,
  { forms }: Redaction,
  options: RedactValueOptions = {},
): RedactedValue {
  const found = { occurrences: 0, droppedBlocks: 0 };

  function redactString(before: string): string {
    const { text, occurrences } = redactText(before, forms);
    found.occurrences += occurrences;
    return occurrences > 0 ? text : before;
  }

  function redactNumber(before: number): number | string {
    const digits = String(before);
    const after = redactString(digits);
    return after === digits ? before : after;
  }

  function redactList(items: readonly unknown[], isContent: boolean): readonly unknown[] {
    const kept: unknown[] = [];
    let changed = false;
    for (const item of items) {
      const after = redact(item, isContent);
      if (after !== item) changed = true;
      if (after !== item && isContent && isOpaque(item)) found.droppedBlocks += 1;
      else kept.push(after);
    }
    return changed ? kept : items;
  }

  function redactObject(before: object, isContent: boolean): object {
    const after = new Map<string, unknown>();
    let changed = false;
    for (const [key, value] of Object.entries(before)) {
      const newKey = redactString(key);
      const newValue = redact(value, isContent || key === "content");
      if (newKey !== key || newValue !== value) changed = true;
      after.set(newKey === key ? key : freeKey(after, newKey, before), newValue);
    }
    return changed ? Object.fromEntries(after) : before;
  }

  function redact(before: unknown, isContent: boolean): unknown {
    if (typeof before === "number") return isContent ? redactNumber(before) : before;
    if (typeof before !== "string" && (typeof before !== "object" || before === null)) return before;
    const substitute = options.substitute?.(before);
    if (substitute !== undefined) {
      found.occurrences += substitute.occurrences;
      return substitute.value;
    }
    if (typeof before === "string") return redactString(before);
    return Array.isArray(before) ? redactList(before, isContent) : redactObject(before, isContent);
  }

  return { value: redact(value, options.isContent ?? false), ...found };
}

function isOpaque(item: unknown): boolean {
  return typeof item === "object" && item !== null && opaqueTypes.has((item as { type?: unknown }).type);
}

/** Two keys that became one would lose a value. */
function freeKey(taken: ReadonlyMap<string, unknown>, key: string, before: object): string {
  let free = key;
  for (let count = 2; taken.has(free) || Object.hasOwn(before, free); count += 1) free = `${key} (${count})`;
  return free;
}
