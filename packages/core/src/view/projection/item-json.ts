import type { ContentBlock, ViewItem } from "../../spec/index.ts";

/** The newest that was written: who compares or hashes an item asks for it more than once. */
let newest: { readonly block: ContentBlock; readonly json: string } | undefined;

function jsonOf(this: ViewItem): string {
  if (newest?.block !== this.block) newest = { block: this.block, json: JSON.stringify(this.block) };
  return newest.json;
}

const writtenWhenAsked: PropertyDescriptor = { get: jsonOf, enumerable: true, configurable: true };

/**
 * The item with its block's bytes, which are written when they are asked for: kept, they would double what a view takes.
 * Made field by field: an object that is made by spreading others has a hidden class of its own, which takes more memory
 * than the item does.
 */
export function withJson(given: Omit<ViewItem, "json">): ViewItem {
  const { role, entry, seq, index, block, decision, response } = given;
  const item: { -readonly [Name in keyof ViewItem]?: ViewItem[Name] } = { role, entry, seq, index, block };
  if (decision !== undefined) item.decision = decision;
  if (response !== undefined) item.response = response;
  return Object.defineProperty(item, "json", writtenWhenAsked) as ViewItem;
}
