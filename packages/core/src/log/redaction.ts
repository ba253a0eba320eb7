import { fail, ok, type Redaction, type Result } from "../spec/index.ts";
import { secretForms } from "./redact-value.ts";

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

/** Field names and fixed values of entries, messages and blocks that are long enough to be taken for a secret. */
const formatWords = [
  "assistant",
  "attachedTo",
  "attachment",
  "attachments",
  "boundary",
  "cache-edit",
  "cacheCreation",
  "cacheCreation1h",
  "cacheCreation5m",
  "cacheRead",
  "cache_edits",
  "cache_reference",
  "coversSeq",
  "decision",
  "decisions",
  "discoveredTools",
  "document",
  "drop-entry",
  "droppedBlocks",
  "forkKind",
  "imported",
  "isAborted",
  "isApiErrorMessage",
  "isCompactSummary",
  "isSidechain",
  "isVisibleInTranscriptOnly",
  "is_error",
  "markedDigest",
  "media_type",
  "occurrences",
  "orphan-result",
  "prefixDigest",
  "progress",
  "reactive",
  "redacted",
  "redacted_thinking",
  "replace-block",
  "responseId",
  "signature",
  "stopReason",
  "strategy",
  "strip-thinking",
  "synthetic-result",
  "thinking",
  "tokensAfter",
  "tokensAt",
  "tokensBefore",
  "toolUseId",
  "tool_result",
  "tool_use",
  "tool_use_id",
] as const;

/** Whether taking `text` out of a log would take the log apart. */
function isFormatWord(text: string): boolean {
  return formatWords.some((word) => word.includes(text));
}
