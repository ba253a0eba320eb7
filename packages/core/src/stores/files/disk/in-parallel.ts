/** Calls `use` on every item, at most `limit` at a time, and gives the results in the order of the items. */
export async function inParallel<Item, Value>(
  items: readonly Item[],
  limit: number,
  use: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  const results: Value[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await use(items[index] as Item);
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
