/** Values on their way from one who makes them to one who reads them, in order. */
export interface Channel<T> extends AsyncIterable<T> {
  /** Dropped where the end was before it. */
  push(value: T): void;
  /** Nothing comes behind this; what was pushed is still read. */
  end(): void;
}

export function createChannel<T>(): Channel<T> {
  const waiting: T[] = [];
  let hasEnded = false;
  let wake: (() => void) | null = null;

  function notify(): void {
    wake?.();
    wake = null;
  }

  return {
    push(value) {
      if (hasEnded) return;
      waiting.push(value);
      notify();
    },
    end() {
      hasEnded = true;
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift() as T;
        if (hasEnded) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
