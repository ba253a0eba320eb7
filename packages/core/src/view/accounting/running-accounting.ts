import type { ViewItem } from "../../spec/index.ts";
import type { Accounting, AccountingInput, Category } from "./accounting.ts";
import { type AccountingSums, type Amount, unknownTool } from "./accounting-sums.ts";
import { fixedParts, type ItemShare, itemShare } from "./measure-block.ts";
import { toAccounting } from "./to-accounting.ts";

/** `account`, kept up to date: adding and removing an item cost the same however long the view is. */
export interface RunningAccounting {
  /** An item counts once. */
  add(item: ViewItem): void;
  /** Takes out what the very same item was added with; a replaced item is removed, and the new one added. */
  remove(item: ViewItem): void;
  accounting(): Accounting;
}

/** A call and its results, which are accounted by what the call says, whichever came first. */
interface Exchange {
  readonly calls: Set<ItemShare>;
  readonly results: Set<ItemShare>;
}

/** The parts before the messages are measured here, once. */
export function createRunningAccounting(input: AccountingInput): RunningAccounting {
  const fixed = fixedParts(input);
  const shares = new Map<ViewItem, ItemShare>();
  const exchanges = new Map<string, Exchange>();
  const attachmentBlocks = new Map<string, number>();
  const troubled = new Set<ItemShare>();
  const categories = new Map<Category, number>();
  const requests = createAmountTally();
  const results = createAmountTally();
  const attachments = createAmountTally();
  const reads = createAmountTally();

  function countCategories({ category, tokens, mediaTokens }: ItemShare, sign: 1 | -1): void {
    categories.set(category, (categories.get(category) ?? 0) + sign * tokens);
    categories.set("imagesAndDocuments", (categories.get("imagesAndDocuments") ?? 0) + sign * mediaTokens);
  }

  function countAttachment({ attachment, tokens }: ItemShare, sign: 1 | -1): void {
    if (!attachment) return;
    const { key, type } = attachment;
    const before = attachmentBlocks.get(key) ?? 0;
    const after = before + sign;
    if (after === 0) attachmentBlocks.delete(key);
    else attachmentBlocks.set(key, after);
    attachments.add(type, Math.min(1, after) - Math.min(1, before), sign * tokens);
  }

  function countResults({ calls, results: given }: Exchange, sign: 1 | -1): void {
    const [call] = [...calls].map((share) => share.call);
    for (const { result, tokens } of given) {
      results.add(call?.tool ?? unknownTool, sign, sign * tokens);
      if (result?.isWhole && call?.path !== undefined) reads.add(call.path, sign, sign * tokens);
    }
  }

  function countExchange(share: ItemShare, sign: 1 | -1): void {
    const { call, result, tokens } = share;
    const id = call?.id ?? result?.id;
    if (id === undefined) return;
    if (call) requests.add(call.tool, sign, sign * tokens);
    const exchange = exchanges.get(id) ?? { calls: new Set(), results: new Set() };
    countResults(exchange, -1);
    const side = call ? exchange.calls : exchange.results;
    if (sign === 1) side.add(share);
    else side.delete(share);
    countResults(exchange, 1);
    if (exchange.calls.size + exchange.results.size === 0) exchanges.delete(id);
    else exchanges.set(id, exchange);
  }

  function count(share: ItemShare, sign: 1 | -1): void {
    countCategories(share, sign);
    countAttachment(share, sign);
    countExchange(share, sign);
    if (share.problems.length === 0) return;
    if (sign === 1) troubled.add(share);
    else troubled.delete(share);
  }

  return {
    add(item) {
      if (shares.has(item)) return;
      const share = itemShare(item, input);
      shares.set(item, share);
      count(share, 1);
    },
    remove(item) {
      const share = shares.get(item);
      if (!share) return;
      shares.delete(item);
      count(share, -1);
    },
    accounting() {
      const problems = [...troubled].flatMap((share) => share.problems);
      const sums: AccountingSums = {
        categories,
        requests: requests.amounts,
        results: results.amounts,
        attachments: attachments.amounts,
        reads: reads.amounts,
        problems,
      };
      return toAccounting(sums, fixed, input);
    },
  };
}

/** Amounts by name that go up and down. */
interface AmountTally {
  readonly amounts: ReadonlyMap<string, Amount>;
  /** An amount of zero is forgotten. */
  add(name: string, count: number, tokens: number): void;
}

function createAmountTally(): AmountTally {
  const amounts = new Map<string, Amount>();
  return {
    amounts,
    add(name, count, tokens) {
      const before = amounts.get(name) ?? { count: 0, tokens: 0 };
      const after = { count: before.count + count, tokens: before.tokens + tokens };
      if (after.count === 0) amounts.delete(name);
      else amounts.set(name, after);
    },
  };
}
