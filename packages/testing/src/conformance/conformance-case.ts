/** One promise of a port, checked: `run` rejects if an implementation breaks it. Fits every test runner. */
export interface ConformanceCase {
  /** A sentence in the present tense. */
  readonly name: string;
  readonly run: () => Promise<void>;
}
