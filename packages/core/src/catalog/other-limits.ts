/** Texts that speak of tokens and limits and mean something else: rates, quotas and the length of the answer. */
export const otherLimits: readonly RegExp[] = [
  /\btokens? per (?:second|minute|min|hour|day)\b|\b(?:TPM|TPD|RPM|RPD)\b/i,
  /rate[ _-]?limit|too many requests|throttl|\bquota\b|please wait before|try again in \d/i,
  /maximum allowed number of output tokens|supports at most [\d,]+ completion tokens/i,
];

/** Statuses that never mean an overflow: keys, money, rights, absence, conflict, rates, overload. */
export const otherStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 409, 429, 503, 529]);
