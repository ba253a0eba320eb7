import type { BlobLocation, Redaction, SecretForm } from "../spec/index.ts";

interface RedactedValue {
  /** The very same object where nothing was found in it. */
  readonly value: unknown;
  readonly occurrences: number;
  /** Opaque blocks that held the secret, and were taken out whole. */
  readonly droppedBlocks: number;
}

interface RedactValueOptions {
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

/** How often a text may have been put into JSON inside JSON before it reached a string value. */
const escapeLevels = 3;

/**
 * The secret as it stands in a text, and as it stands in JSON that was quoted inside a text, once or twice. Longest
 * first; one form only where nothing in the secret needs escaping.
 */
export function secretForms(secret: string, replacement: string): readonly SecretForm[] {
  const forms: SecretForm[] = [];
  let form: SecretForm = { secret, replacement };
  for (let level = 0; level < escapeLevels; level += 1) {
    forms.unshift(form);
    const escaped = { secret: escapeJson(form.secret), replacement: escapeJson(form.replacement) };
    if (escaped.secret === form.secret) break;
    form = escaped;
  }
  return forms;
}

interface RedactedText {
  readonly text: string;
  readonly occurrences: number;
}

/** The text without the secret in any of its forms, also where taking it out would put it together again. */
export function redactText(text: string, forms: readonly SecretForm[]): RedactedText {
  let redacted = text;
  let occurrences = 0;
  for (const form of forms) {
    let { replacement } = form;
    while (redacted.includes(form.secret)) {
      const parts = redacted.split(form.secret);
      occurrences += parts.length - 1;
      redacted = parts.join(replacement);
      replacement = "";
    }
  }
  return { text: redacted, occurrences };
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

interface RedactedBytes {
  readonly bytes: Uint8Array;
  readonly occurrences: number;
}

/**
 * The content of a blob or a file, without the secret. `as` says how to read it where that is known; else JSON is
 * recognised, and text that is no UTF-8 is searched as bytes.
 */
export function redactBytes(
  bytes: Uint8Array,
  as: BlobLocation["as"] | undefined,
  redaction: Redaction,
): RedactedBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!redaction.needles.some((needle) => buffer.includes(Buffer.from(needle))))
    return { bytes, occurrences: 0 };
  const text = decode(buffer);
  if (text === null) return redactRaw(buffer, redaction);
  const json = as === "text" ? null : parseContainer(text, as === "json");
  if (json === null) {
    const redacted = redactText(text, redaction.forms);
    return { bytes: Buffer.from(redacted.text), occurrences: redacted.occurrences };
  }
  const { value, occurrences } = redactValue(json.value, redaction, { isContent: true });
  return occurrences === 0
    ? { bytes, occurrences }
    : { bytes: Buffer.from(JSON.stringify(value)), occurrences };
}

function decode(buffer: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(buffer);
  } catch {
    return null;
  }
}

/** Latin-1 keeps every byte as it is. */
function redactRaw(buffer: Buffer, redaction: Redaction): RedactedBytes {
  const forms = redaction.forms.map(({ secret, replacement }) => ({
    secret: Buffer.from(secret).toString("latin1"),
    replacement: Buffer.from(replacement).toString("latin1"),
  }));
  const { text, occurrences } = redactText(buffer.toString("latin1"), forms);
  return { bytes: Buffer.from(text, "latin1"), occurrences };
}

function parseContainer(text: string, isCertain: boolean): { readonly value: unknown } | null {
  if (!isCertain && !/^\s*[[{]/.test(text)) return null;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
