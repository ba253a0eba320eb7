import type { SecretForm } from "../spec/index.ts";

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

export interface RedactedText {
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
