import {
  type ContentBlock,
  fail,
  type ImageLimits,
  ok,
  type Result,
  type ToolOutcome,
} from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";
import type { WholeFile } from "./read-whole.ts";

/** An image as the API takes it, or why it would not. */
export async function imageOutcome(
  { bytes, stamp }: WholeFile,
  mediaType: string,
  limits: ImageLimits,
): Promise<Result<ToolOutcome>> {
  const { imageFacts, imageFault } = await import("@palimpsest/core/internal");
  const block: ContentBlock = { type: "image", source: base64(bytes, mediaType) };
  const name = showPath(stamp.path);
  const fault = imageFault(block, limits);
  if (fault !== null) {
    return fail("too-large", `The image ${name} is too large: ${fault}.`, {
      fix: "Make a smaller copy with a program in Bash, and read that.",
    });
  }
  if (imageFacts(block)?.sidePixels === 0) {
    return fail("corrupt", `${name} begins like an image (${mediaType}) and is damaged.`, {
      fix: "Look at it with a program in Bash, or ask the user for a whole copy.",
    });
  }
  return ok({ content: [block], files: [stamp] });
}

/** A PDF as a document of its own; the model sees its pages. */
export function pdfOutcome({ bytes, stamp }: WholeFile): ToolOutcome {
  return {
    content: [
      { type: "text", text: `${showPath(stamp.path)}, PDF of ${bytes.length} bytes:` },
      { type: "document", source: base64(bytes, "application/pdf") },
    ],
    files: [stamp],
  };
}

function base64(bytes: Uint8Array, mediaType: string) {
  return { type: "base64" as const, media_type: mediaType, data: Buffer.from(bytes).toString("base64") };
}
