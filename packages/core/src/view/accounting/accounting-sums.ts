import type { Category } from "./accounting.ts";
import type { ItemShare, MetricProblem } from "./measure-block.ts";

export interface Amount {
  readonly count: number;
  readonly tokens: number;
}

/** Sums over the items of a view. */
export interface AccountingSums {
  readonly categories: ReadonlyMap<Category, number>;
  readonly requests: ReadonlyMap<string, Amount>;
  readonly results: ReadonlyMap<string, Amount>;
  readonly attachments: ReadonlyMap<string, Amount>;
  /** Whole results of reading a file, by path. */
  readonly reads: ReadonlyMap<string, Amount>;
  readonly problems: readonly MetricProblem[];
}

/** The tool of a result whose call is not in the view. */
export const unknownTool = "unknown";

/**
 * All at once: the definition of what a running accounting must give. Calls have ids of their own in a valid view; in
 * another one the first counts.
 */
export function sumShares(shares: readonly ItemShare[]): AccountingSums {
  const calls = new Map(shares.toReversed().flatMap(({ call }) => (call ? [[call.id, call]] : [])));
  const categories = new Map<Category, number>();
  const add = (category: Category, tokens: number) =>
    categories.set(category, (categories.get(category) ?? 0) + tokens);
  for (const { category, tokens, mediaTokens } of shares) {
    add(category, tokens);
    add("imagesAndDocuments", mediaTokens);
  }
  const results = shares.flatMap(({ result, tokens }) =>
    result ? [{ ...result, tokens, call: calls.get(result.id) }] : [],
  );
  return {
    categories,
    requests: amountsByName(
      shares.flatMap(({ call, tokens }) => (call ? [{ name: call.tool, tokens }] : [])),
    ),
    results: amountsByName(results.map(({ call, tokens }) => ({ name: call?.tool ?? unknownTool, tokens }))),
    attachments: attachmentAmounts(shares),
    reads: amountsByName(
      results.flatMap(({ call, isWhole, tokens }) =>
        isWhole && call?.path !== undefined ? [{ name: call.path, tokens }] : [],
      ),
    ),
    problems: shares.flatMap(({ problems }) => problems),
  };
}

function amountsByName(parts: readonly { readonly name: string; readonly tokens: number }[]) {
  const sums = new Map<string, Amount>();
  for (const { name, tokens } of parts) {
    const { count, tokens: before } = sums.get(name) ?? { count: 0, tokens: 0 };
    sums.set(name, { count: count + 1, tokens: before + tokens });
  }
  return sums;
}

/** Counts attachments, not their blocks. */
function attachmentAmounts(shares: readonly ItemShare[]): ReadonlyMap<string, Amount> {
  const counted = new Set<string>();
  const sums = new Map<string, Amount>();
  for (const { attachment, tokens } of shares) {
    if (!attachment) continue;
    const { count, tokens: before } = sums.get(attachment.type) ?? { count: 0, tokens: 0 };
    const isNew = !counted.has(attachment.key);
    counted.add(attachment.key);
    sums.set(attachment.type, { count: count + (isNew ? 1 : 0), tokens: before + tokens });
  }
  return sums;
}
