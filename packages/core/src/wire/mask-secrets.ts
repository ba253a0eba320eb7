import { isCount, isRecord } from "../json/json-values.ts";

/** The text in place of a key wherever a text from outside is shown. */
const mask = "[masked]";

/** Shorter texts are no keys, and masking them would eat words. */
const minSecretChars = 6;

/** Keys as the known providers write them, and whatever stands behind the name of a header that carries one. */
const keys: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|hf|nvapi|AIza|AKIA|ya29)[-_.]?[A-Za-z0-9_\-.*]{12,}/g,
  /(?<=\bbearer\s+)[^\s"',;]+/gi,
  /(?<=\b(?:x-api-key|api[-_ ]?key|authorization|access[-_ ]?token|auth[-_ ]?token)["']?\s*[:=]\s*["']?)(?!bearer\b)(?:basic\s+)?[^\s"',;]+/gi,
];

/** More of a text is never shown; searching it would take time that grows with its square. */
const maxTextChars = 16_384;

/** The beginning of the text without anything that looks like a key, and without the secrets given. */
export function maskSecrets(text: string, secrets: readonly string[] = []): string {
  let masked = text.slice(0, maxTextChars);
  for (const secret of secrets) {
    if (secret.length >= minSecretChars) masked = masked.replaceAll(secret, mask);
  }
  for (const key of keys) masked = masked.replace(key, mask);
  return masked;
}

/**
 * A provider's report where it is no usage: fields that should be counts and are not. Undefined where all of the named
 * ones are counts, or absent.
 */
export function brokenUsage(reported: unknown, names: readonly string[]): unknown {
  if (reported === undefined || reported === null) return undefined;
  if (!isRecord(reported)) return reported;
  return names.every((name) => isCountOrAbsent(reported[name])) ? undefined : reported;
}

function isCountOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || isCount(value);
}
