import { PalimpsestError, type Session } from "@palimpsest/core/spec";
import type { TranscriptItem } from "../state/pager.ts";

const pageChars = 200_000;

/** A thing of the transcript whole: what a tool gave is read back, however it is hidden now. */
export async function readOriginal(session: Session, { id, kind, text }: TranscriptItem): Promise<string> {
  if (kind !== "result") return text;
  try {
    const { text: whole } = await session.recall(id, { limit: pageChars });
    return whole;
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return `${text}\n\n(${cause.message})`;
    throw cause;
  }
}
