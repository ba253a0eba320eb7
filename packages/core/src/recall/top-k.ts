/** Keeps the best `size` of what is offered, in memory for that many and no more. */
export interface TopK<Item> {
  /** How many are kept now. */
  readonly count: number;
  /** The worst that is kept: what is no better than it need not be offered once `count` is `size`. */
  readonly worst: Item | undefined;
  offer(item: Item): void;
  /** Best first. */
  toSorted(): Item[];
}

/** `compare` is as for `sort`, best first. A heap with the worst on top: each offer costs O(log size) at most. */
export function createTopK<Item>(size: number, compare: (a: Item, b: Item) => number): TopK<Item> {
  const heap: Item[] = [];
  const isWorse = (a: number, b: number) => compare(heap[a] as Item, heap[b] as Item) > 0;
  const swap = (a: number, b: number) => {
    const held = heap[a] as Item;
    heap[a] = heap[b] as Item;
    heap[b] = held;
  };

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isWorse(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const child = left + 1 < heap.length && isWorse(left + 1, left) ? left + 1 : left;
      if (!isWorse(child, at)) return;
      swap(at, child);
      at = child;
    }
  }

  return {
    get count() {
      return heap.length;
    },
    get worst() {
      return heap[0];
    },
    offer(item) {
      if (heap.length < size) {
        heap.push(item);
        rise(heap.length - 1);
      } else if (size > 0 && compare(item, heap[0] as Item) < 0) {
        heap[0] = item;
        sink();
      }
    },
    toSorted: () => heap.toSorted(compare),
  };
}
