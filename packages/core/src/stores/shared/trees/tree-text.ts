import { fail, ok, type Result } from "../../../spec/index.ts";
import { maxTreeFileBytes } from "./tree-version.ts";

/** Byte for byte: a byte order mark is part of the text. */
export function decodeTreeText(content: Uint8Array, file: string): Result<string> {
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content));
  } catch (cause) {
    return fail("corrupt", `${file} is not valid UTF-8. It was left as it is.`, {
      path: file,
      fix: "Save the file as UTF-8 or move it away.",
      cause,
    });
  }
}

/** Refuses what would not come back as it was: lone surrogates, and texts over the limit. */
export function encodeTreeText(text: string, path: string): Result<Uint8Array> {
  if (typeof text !== "string" || !text.isWellFormed()) {
    return fail("invalid-input", `The text for ${path} is not well-formed Unicode.`, {
      path,
      fix: "Remove lone surrogates, for example with toWellFormed().",
    });
  }
  const content = Buffer.from(text, "utf8");
  if (content.length <= maxTreeFileBytes) return ok(content);
  return fail("too-large", `The text for ${path} has ${content.length} bytes, over ${maxTreeFileBytes}.`, {
    path,
    fix: "Write several smaller files.",
    facts: { bytes: content.length, maxBytes: maxTreeFileBytes },
  });
}
