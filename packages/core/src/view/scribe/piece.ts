/** One thing that a text may say, from its shortest form to its whole. */
export interface Piece {
  readonly levels: readonly string[];
  /** A line that stands once before neighbouring pieces which share it. */
  readonly label?: string;
}

export interface Section {
  readonly title: string;
  /** In the order in which they are shown. */
  readonly pieces: readonly Piece[];
}

/** Pieces that together may take this part of the budget, until all steps had their turn. */
export interface Share {
  readonly name: string;
  readonly part: number;
}

/** Wishes for a piece in this form. Earlier steps are served first: what does not fit is what comes late. */
export interface Step {
  readonly piece: Piece;
  readonly level: number;
  readonly share?: Share;
}

/** The steps that wish for each of these pieces in one form; `last` is the whole. */
export function stepsFor(pieces: readonly Piece[], level: number | "last", share?: Share): readonly Step[] {
  return pieces.flatMap((piece) => {
    const last = piece.levels.length - 1;
    const at = level === "last" ? last : Math.min(level, last);
    return at < 0 ? [] : [{ piece, level: at, ...(share && { share }) }];
  });
}
