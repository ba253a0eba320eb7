/** Postings in the order in which documents came, in columns that grow. */
export interface GrowingColumns {
  /** Replaced when the columns grow: read it anew after each `add`. */
  readonly frequencies: Uint16Array;
  /** Where the posting stands. */
  add(term: number, document: number): number;
  /** The postings by term; those of term n from `starts[n]` to `starts[n + 1]`, by document. */
  grouped(terms: number): {
    readonly starts: Uint32Array;
    readonly documents: Uint32Array;
    readonly frequencies: Uint16Array;
  };
}

export function createGrowingColumns(): GrowingColumns {
  let termColumn = new Uint32Array(1024);
  let documentColumn = new Uint32Array(1024);
  let frequencies = new Uint16Array(1024);
  let count = 0;

  function grow(): void {
    const size = termColumn.length * 2;
    const [terms, documents, packed] = [new Uint32Array(size), new Uint32Array(size), new Uint16Array(size)];
    terms.set(termColumn);
    documents.set(documentColumn);
    packed.set(frequencies);
    termColumn = terms;
    documentColumn = documents;
    frequencies = packed;
  }

  return {
    get frequencies() {
      return frequencies;
    },
    add(term, document) {
      if (count === termColumn.length) grow();
      termColumn[count] = term;
      documentColumn[count] = document;
      count += 1;
      return count - 1;
    },
    grouped(terms) {
      const starts = new Uint32Array(terms + 1);
      for (let at = 0; at < count; at += 1) {
        const next = (termColumn[at] as number) + 1;
        starts[next] = (starts[next] as number) + 1;
      }
      for (let term = 0; term < terms; term += 1)
        starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
      const free = starts.slice();
      const [documents, packed] = [new Uint32Array(count), new Uint16Array(count)];
      for (let at = 0; at < count; at += 1) {
        const term = termColumn[at] as number;
        const to = free[term] as number;
        free[term] = to + 1;
        documents[to] = documentColumn[at] as number;
        packed[to] = frequencies[at] as number;
      }
      return { starts, documents, frequencies: packed };
    },
  };
}
