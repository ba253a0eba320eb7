import type { Result } from "../result.ts";

/** Where one piece of a project belongs, in every store. */
export type ArchivePiece =
  /** Whole lines of a log, from the place `at` on. */
  | { readonly kind: "log"; readonly session: string; readonly at: number; readonly bytes: number }
  | { readonly kind: "blob"; readonly session: string; readonly sha256: string }
  /** A readable name of a blob; its content is the blob's hash. */
  | { readonly kind: "blob-name"; readonly session: string; readonly name: string }
  | { readonly kind: "notes"; readonly session: string }
  | { readonly kind: "tombstone"; readonly session: string }
  /** A version of a file: one line of JSON that says what it is, then the text as it was. */
  | { readonly kind: "version"; readonly tree: string; readonly path: string; readonly version: number }
  /** A mail that waits; its content is its JSON. */
  | { readonly kind: "mail"; readonly to: string; readonly id: string }
  /** When memory was last put in order, in milliseconds. */
  | { readonly kind: "consolidation" };

/** What there is one of, and always the newest. */
export type ChangingPiece = Extract<ArchivePiece, { readonly kind: "notes" | "consolidation" }>;

/** Everything that a store has of a project, as bytes that are the same in every store: for moving it. */
export interface StoreArchive {
  /** Sessions and their forks, parents first. */
  sessions(): Promise<Result<readonly string[]>>;
  /** What belongs to a session, the log last and in order: what is there of a log, all it needs is there too. */
  piecesOf(session: string): Promise<Result<readonly ArchivePiece[]>>;
  /** What belongs to no session, versions and mails in order. */
  others(): Promise<Result<readonly ArchivePiece[]>>;
  /** `null` where it is not there. */
  read(piece: ArchivePiece): Promise<Result<Uint8Array | null>>;
  /** The whole piece or nothing of it. The same piece again changes nothing; `exists` where something else is there. */
  write(piece: ArchivePiece, content: Uint8Array): Promise<Result<void>>;
  /** As `write`, in place of what is there. */
  replace(piece: ChangingPiece, content: Uint8Array): Promise<Result<void>>;
}
