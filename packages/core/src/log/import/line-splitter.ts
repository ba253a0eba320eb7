/** One line without its newline. */
export interface Line {
  /** Counts from 1. */
  readonly number: number;
  readonly offset: number;
  readonly length: number;
  /** Valid only during the visit; absent when the line is longer than the limit. */
  readonly bytes?: Uint8Array;
  /** False for a last line that no newline ends. */
  readonly isTerminated: boolean;
}

export interface LineSplitter {
  /** The chunk may be reused afterwards. */
  push(chunk: Uint8Array): void;
  /** Gives the unterminated last line, if there is one. */
  end(): void;
}

const newline = 0x0a;

/** Splits on the byte `\n` only. Holds at most one line, and nothing of a line that is too long. */
export function createLineSplitter(
  limit: number,
  firstOffset: number,
  visit: (line: Line) => void,
): LineSplitter {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  let offset = firstOffset;

  function add(part: Uint8Array): void {
    length += part.length;
    if (length > limit) parts = [];
    else if (part.length > 0) parts.push(part);
  }

  function give(isTerminated: boolean): void {
    const [first] = parts;
    const bytes = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
    visit({ number, offset, length, isTerminated, ...(length <= limit && { bytes }) });
    offset += length + 1;
    number += 1;
    parts = [];
    length = 0;
  }

  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
        add(chunk.subarray(start, at));
        give(true);
        start = at + 1;
      }
      add(Buffer.from(chunk.subarray(start)));
    },
    end() {
      if (length > 0) give(false);
    },
  };
}
