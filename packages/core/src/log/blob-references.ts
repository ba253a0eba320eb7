import type { BlobRef, Entry, HeadPart, SessionHeader } from "../spec/index.ts";

/** A blob that an entry stands on. */
export interface BlobReference {
  readonly blob: string;
  /** Absent where the entry does not say. */
  readonly bytes?: number;
  /** For a person: what it is, and whose. */
  readonly what: string;
  /** It is part of what requests begin with, which a fork keeps with its session. */
  readonly isHead: boolean;
}

const headParts: Readonly<Record<HeadPart | "context", string>> = {
  system: "the system prompt",
  tools: "the tools",
  fields: "the request fields",
  flags: "the flags",
  context: "the context blocks",
};

/** The blobs that an entry stands on; values that the entry carries itself need none. */
export function blobReferences(entry: Entry): readonly BlobReference[] {
  if (entry.kind === "session") return headReferences(entry.session);
  if (entry.kind === "note" && entry.note.topic === "head") return headReferences(entry.note);
  const values = (entry.blobs ?? []).flatMap(({ path }) => {
    const ref = path.reduce<unknown>((value, part) => (value as Record<string, unknown>)?.[part], entry);
    return isReference(ref)
      ? { ...sizeOf(ref), what: `${path.join(".")} of ${entry.id}`, isHead: false }
      : [];
  });
  if (entry.kind !== "decision" || entry.decision.type !== "offload") return values;
  const { results, blocks = [] } = entry.decision;
  const stored = [
    ...results.map(({ blob, toolUseId }) => ({ blob, what: `the result of ${toolUseId}` })),
    ...blocks.map(({ blob, entry: id, block, lastBlock = block }) => ({
      blob,
      what: lastBlock > block ? `blocks ${block} to ${lastBlock} of ${id}` : `block ${block} of ${id}`,
    })),
  ];
  return [
    ...values,
    ...stored.flatMap(({ blob, what }) => (blob === undefined ? [] : { blob, what, isHead: false })),
  ];
}

function headReferences(head: Partial<SessionHeader>): readonly BlobReference[] {
  return Object.entries(headParts).flatMap(([part, what]) => {
    const ref = head[part as HeadPart | "context"];
    return isReference(ref) && ref.text === undefined ? { ...sizeOf(ref), what, isHead: true } : [];
  });
}

function isReference(value: unknown): value is BlobRef {
  return typeof (value as BlobRef | undefined)?.blob === "string";
}

function sizeOf({ blob, bytes }: BlobRef): Pick<BlobReference, "blob" | "bytes"> {
  return { blob, bytes };
}
