import type { BlobLocation, Redaction } from "../spec/index.ts";
import { redactText } from "./redact-text.ts";
import { redactValue } from "./redact-value.ts";

export interface RedactedBytes {
  readonly bytes: Uint8Array;
  readonly occurrences: number;
}

/**
 * What a blob or a file holds, without the secret. `as` says how to read it where that is known; else JSON is
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
