/** Bytes that can be looked at before they are read. Never throws: see `failure`. */
export interface Lookahead {
  /** The first bytes, fewer only where the source is shorter; what is looked at can still be read. */
  peek(bytes: number): Promise<Uint8Array>;
  /** Everything from the start. May be called once, after the last `peek`. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
  /** What the source threw; it then counts as ended where it did. */
  readonly failure: { readonly cause: unknown } | undefined;
  /** Lets the source go, read to its end or not. */
  close(): Promise<void>;
}

export function createLookahead(source: AsyncIterable<Uint8Array>): Lookahead {
  const iterator = source[Symbol.asyncIterator]();
  let seen: Uint8Array = new Uint8Array(0);
  let failure: { readonly cause: unknown } | undefined;
  let ended = false;

  async function next(): Promise<Uint8Array | undefined> {
    if (ended) return undefined;
    try {
      const step = await iterator.next();
      if (!step.done) return step.value;
    } catch (cause) {
      failure = { cause };
    }
    ended = true;
    return undefined;
  }

  return {
    async peek(bytes) {
      const parts: Uint8Array[] = [seen];
      let length = seen.length;
      while (length < bytes) {
        const chunk = await next();
        if (chunk === undefined) break;
        parts.push(Buffer.from(chunk));
        length += chunk.length;
      }
      if (parts.length > 1) seen = Buffer.concat(parts);
      return seen.subarray(0, bytes);
    },
    async *chunks() {
      if (seen.length > 0) yield seen;
      seen = new Uint8Array(0);
      for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
    },
    get failure() {
      return failure;
    },
    async close() {
      if (ended) return;
      ended = true;
      try {
        await iterator.return?.();
      } catch (cause) {
        failure ??= { cause };
      }
    },
  };
}
