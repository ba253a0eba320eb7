import type { ArchivePiece } from "../../spec/index.ts";

/** A piece, for people. */
export function describePiece(piece: ArchivePiece): string {
  switch (piece.kind) {
    case "log":
      return `the log of session ${piece.session} from byte ${piece.at} on`;
    case "blob":
      return `blob ${piece.sha256.slice(0, 12)} of session ${piece.session}`;
    case "blob-name":
      return `the name ${piece.name} in session ${piece.session}`;
    case "notes":
      return `the notes of session ${piece.session}`;
    case "tombstone":
      return `the tombstone of session ${piece.session}`;
    case "version":
      return `version ${piece.version} of ${piece.path} in ${piece.tree}`;
    case "mail":
      return `mail ${piece.id} to ${piece.to}`;
    case "consolidation":
      return "when memory was last put in order";
  }
}
