import {
  type CompiledWording,
  compileWording,
  overflowCodes,
  overflowWordings,
} from "./overflow-wordings.ts";

/** A server's failure instead of an answer. */
export interface ModelFailure {
  /** Absent when the failure came inside a stream. */
  readonly status?: number;
  /** The error's code, or its type where it has no code. */
  readonly code?: string | null;
  /** The error's message, or the whole body. */
  readonly message: string;
}

export type Overflow =
  | {
      readonly overflow: true;
      /** Which wording, code or status told. */
      readonly wording: string;
      readonly limitTokens?: number;
      /** The tokens counted against the limit: room asked for the answer included, where the server counts it. */
      readonly actualTokens?: number;
      /** How much has to go for the request to fit, where the numbers tell. */
      readonly excessTokens?: number;
    }
  | { readonly overflow: false };

/** The built-in wordings, each compiled once. */
export const builtInWordings: readonly CompiledWording[] = overflowWordings.map(compileWording);
const maxMessageChars = 16_384;
const payloadTooLarge = 413;

/** Whether a request failed because its prompt is too long, in the words of any known server. */
export function isOverflow(
  failure: ModelFailure,
  wordings: readonly CompiledWording[] = builtInWordings,
): Overflow {
  const { status, code } = failure;
  const message = failure.message.slice(0, maxMessageChars);
  const coded = typeof code === "string" && overflowCodes.has(code.toLowerCase());
  if (!coded && isOtherLimit(status, message)) return { overflow: false };
  for (const { id, expression } of wordings) {
    const match = expression.exec(message);
    if (match) return { overflow: true, wording: id, ...numbersOf(match.groups ?? {}) };
  }
  if (coded) return { overflow: true, wording: code };
  return status === payloadTooLarge ? { overflow: true, wording: "413" } : { overflow: false };
}

function isOtherLimit(status: number | undefined, message: string): boolean {
  if (status !== undefined && otherStatuses.has(status)) return true;
  return otherLimits.some((limit) => limit.test(message));
}

function numbersOf(groups: Readonly<Record<string, string | undefined>>) {
  const limitTokens = toCount(groups.limit);
  const sent = toCount(groups.actual);
  const actualTokens = sent === undefined ? undefined : sent + (toCount(groups.more) ?? 0);
  const excess = toCount(groups.excess) ?? (actualTokens ?? 0) - (limitTokens ?? Number.POSITIVE_INFINITY);
  return {
    ...(limitTokens !== undefined && { limitTokens }),
    ...(actualTokens !== undefined && { actualTokens }),
    ...(excess > 0 && { excessTokens: excess }),
  };
}

function toCount(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replace(/\D/g, ""));
}

/** Texts that speak of tokens and limits and mean something else: rates, quotas and the length of the answer. */
const otherLimits: readonly RegExp[] = [
  /\btokens? per (?:second|minute|min|hour|day)\b|\b(?:TPM|TPD|RPM|RPD)\b/i,
  /rate[ _-]?limit|too many requests|throttl|\bquota\b|please wait before|try again in \d/i,
  /maximum allowed number of output tokens|supports at most [\d,]+ completion tokens/i,
];

/** Statuses that never mean an overflow: keys, money, rights, absence, conflict, rates, overload. */
const otherStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 409, 429, 503, 529]);
