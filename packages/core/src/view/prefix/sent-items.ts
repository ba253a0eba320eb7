import { type BindingInput, isSameResponse } from "../thinking/unbound-thinking.ts";

/**
 * How many items at the beginning have stood in a request that was answered: up to the newest response that was
 * produced on exactly what stands before it. Where nobody noted what a response was produced on, as in imported logs,
 * it is taken to be what stands before it.
 */
export function sentItems({ items, digestAt, digestOf }: Omit<BindingInput, "from">): number {
  for (let position = items.length - 1; position > 0; position -= 1) {
    const item = items[position];
    if (item?.role !== "assistant" || isSameResponse(items[position - 1], item)) continue;
    const digest = digestOf(item.entry);
    if (digest === undefined || digest === digestAt(position)) return position;
  }
  return 0;
}
