/** Every number the file tools rest on. Characters are UTF-16 code units. */
export interface FileLimits {
  /** Lines of a page that says nothing else. */
  readonly pageLines: number;
  readonly pageChars: number;
  /** Characters of one line that are shown at once. */
  readonly lineChars: number;
  /** Files up to this size are stamped with the SHA-256 of all their bytes; larger ones are neither edited nor overwritten. */
  readonly editBytes: number;
  /** The API takes requests of 32 MB, and base64 makes three bytes four. */
  readonly pdfBytes: number;
  /** Of a notebook's outputs, for each of them. */
  readonly outputChars: number;
  /** Results that a search gives at once where the call says nothing else. */
  readonly searchResults: number;
  readonly searchChars: number;
  /** Characters of a found line that are shown. */
  readonly foundLineChars: number;
  /** Names a search looks at before it gives up. */
  readonly visitedNames: number;
  /** A longer line is searched in its beginning only, a larger file is passed over by a search across lines. */
  readonly searchedLineChars: number;
  readonly searchedFileChars: number;
  /** How long a pattern may take on one piece of a file. */
  readonly matchMs: number;
  /** How long a search may take as a whole; then what was found so far is given. */
  readonly searchMs: number;
}

export const fileLimits: FileLimits = {
  pageLines: 2_000,
  pageChars: 50_000,
  lineChars: 2_000,
  editBytes: 32 * 1024 * 1024,
  pdfBytes: 20 * 1024 * 1024,
  outputChars: 5_000,
  searchResults: 250,
  searchChars: 40_000,
  foundLineChars: 500,
  visitedNames: 500_000,
  searchedLineChars: 1024 * 1024,
  searchedFileChars: 16 * 1024 * 1024,
  matchMs: 5_000,
  searchMs: 20_000,
};
