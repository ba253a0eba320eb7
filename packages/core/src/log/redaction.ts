import { fail, ok, type Redaction, type Result } from "../spec/index.ts";
import { isFormatWord } from "./format-words.ts";
import { secretForms } from "./redact-text.ts";

/** Shorter secrets would be found in words that have nothing to do with them. */
export const minSecretChars = 8;

export const defaultReplacement = "[REDACTED]";

export function createRedaction(secret: string, replacement = defaultReplacement): Result<Redaction> {
  if ([...secret].length < minSecretChars) {
    return fail("invalid-input", `The secret has fewer than ${minSecretChars} characters.`, {
      fix: "Give more of it: something this short would also be found where it is no secret.",
    });
  }
  if (isFormatWord(secret)) {
    return fail("invalid-input", "The secret is a word that every log is made of.", {
      fix: "Give more of what stands around it.",
    });
  }
  if (replacement.includes(secret)) {
    return fail("invalid-input", "The replacement contains the secret.", { fix: "Choose another one." });
  }
  const forms = secretForms(secret, replacement);
  return ok({ forms, needles: forms.map((form) => Buffer.from(form.secret)) });
}
