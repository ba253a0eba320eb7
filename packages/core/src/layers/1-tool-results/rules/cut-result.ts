import type { ErrorCode } from "../../../spec/index.ts";
import { readBackSentence } from "../../../view/read-back.ts";
import type { OffloadChoice } from "../command.ts";

/** How much of a result stays that the disk refused, and the note behind it: together within what it may have. */
export function cutResult(
  { tool, toolUseId, cutChars }: OffloadChoice,
  chars: number,
  code: ErrorCode,
  logAddress?: string,
): { readonly keptChars: number; readonly preview: string } {
  const subject = tool === undefined ? "This result" : `The result of ${tool}`;
  const preview = `[${subject} has ${chars} characters and could not be stored (${code}): only its beginning stands here. ${readBackSentence(toolUseId, "all of it", logAddress)}]`;
  return { keptChars: Math.max(0, cutChars - preview.length - 1), preview };
}
