import type { Recalled, RecallHit, Result } from "../../spec/index.ts";

/** What there is besides the session itself; absent: it is all that is looked through. */
export interface RecallPorts {
  /** Searches memories, notes and messages of other sessions than this one. */
  readonly search?: (
    query: string,
    options: { readonly limit: number; readonly exceptSession?: string },
  ) => Promise<Result<readonly RecallHit[]>>;
  /** A page of what a search has named; `undefined`: the id is none of those. */
  readonly read?: (
    id: string,
    page: { readonly offset?: number; readonly limit?: number },
  ) => Promise<Result<KeptPage | undefined>>;
}

export interface KeptPage extends Omit<Recalled, "kind"> {
  readonly kind: string;
}
