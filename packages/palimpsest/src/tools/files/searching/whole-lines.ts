/** Hands a text that comes in pieces on as whole lines. */
export interface WholeLines {
  /** All lines that are whole by now, with their ends. */
  push(piece: string): string;
  /** The last line, where it has no end. */
  end(): string;
  /** Lines of which only the beginning was handed on. */
  readonly cutLines: number;
}

export function createWholeLines(maxLineChars: number): WholeLines {
  let rest = "";
  let isCut = false;
  let cutLines = 0;
  return {
    push(piece) {
      const lastEnd = piece.lastIndexOf("\n");
      const whole = lastEnd === -1 ? "" : rest + wholePart(piece, lastEnd);
      if (lastEnd !== -1) {
        rest = "";
        isCut = false;
      }
      if (isCut) return whole;
      rest += piece.slice(lastEnd + 1);
      if (rest.length > maxLineChars) {
        rest = rest.slice(0, maxLineChars).toWellFormed();
        isCut = true;
        cutLines += 1;
      }
      return whole;
    },
    end: () => rest,
    get cutLines() {
      return cutLines;
    },
  };

  /** Of a line that was cut, only its end is still wanted. */
  function wholePart(piece: string, lastEnd: number): string {
    return piece.slice(isCut ? piece.indexOf("\n") : 0, lastEnd + 1);
  }
}

/** Holds everything back until the end, as a search across lines needs it; of a text that is too long, nothing. */
export function createWholeText(maxChars: number): WholeLines {
  let text = "";
  let isCut = false;
  return {
    push(piece) {
      isCut ||= text.length + piece.length > maxChars;
      text = isCut ? "" : text + piece;
      return "";
    },
    end: () => text,
    get cutLines() {
      return isCut ? 1 : 0;
    },
  };
}
