/**
 * How texts say that what was taken out can be read back. `logAddress` is given where the request has no Recall tool: what
 * was taken out stands under its id in the log there.
 */

/** A part of a sentence: `Recall with the id ID`, or where to look for it. */
export function readBackBy(id: string, logAddress?: string): string {
  return logAddress === undefined ? `Recall with the id ${id}` : `Look for ${id} in ${logAddress}`;
}

/** A sentence: that Recall gives it, or where it is. */
export function readBackSentence(id: string, what: string, logAddress?: string): string {
  return logAddress === undefined
    ? `Recall with the id ${id} gives ${what}.`
    : `Look for ${id} in ${logAddress}.`;
}

/** The end of a label: `recall ID`, or the id and where it is. */
export function readBackMark(id: string, logAddress?: string): string {
  return logAddress === undefined ? `recall ${id}` : `${id} in ${logAddress}`;
}

/** Where a file has all of it, how that is read; Recall besides, where there is one. */
export function readBackFrom(path: string | undefined, id: string, logAddress?: string): string {
  if (path === undefined) return readBackBy(id, logAddress);
  const inParts = "Read that path in parts (offset and limit)";
  return logAddress === undefined ? `${inParts}, or ${readBackBy(id)}` : inParts;
}

/** The word in front of an id in a summary, which says once how ids are read back. */
export type IdWord = "recall" | "id";

export function idWordOf(logAddress?: string): IdWord {
  return logAddress === undefined ? "recall" : "id";
}

/** Between the blocks of a message where they are read back as one text. */
export const betweenBlocks = "\n\n";
