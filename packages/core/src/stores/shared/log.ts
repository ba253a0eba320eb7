import { formatVersion } from "../../log/codec.ts";
import { type Durability, type Entry, fail, isBlock, type Result } from "../../spec/index.ts";

const maxPromptChars = 200;

/** The first words of a user's message; `undefined` for every other entry. */
export function promptOf(entry: Entry): string | undefined {
  if (entry.kind !== "message" || entry.message.type !== "user" || entry.message.isMeta) return undefined;
  const { content } = entry.message;
  if (typeof content === "string") return content.slice(0, maxPromptChars);
  // A large content or text is a reference to its blob.
  for (const block of Array.isArray(content) ? content : []) {
    if (isBlock(block, "text") && typeof block.text === "string") return block.text.slice(0, maxPromptChars);
  }
  return undefined;
}

/** The longest line that is read. A writer keeps far below it, since large values are blobs. */
export const maxLineBytes = 256 * 1024 * 1024;

export const defaultDurability: Durability = "process";

export function newerFormat(path: string, version: number): Result<never> {
  return fail(
    "newer-format",
    `${path} was written in format ${version}; this version writes ${formatVersion}.`,
    {
      path,
      fix: "Upgrade palimpsest to write to it; it can be opened read-only as it is.",
      facts: { version },
    },
  );
}

export function nothingReadable(path: string, bytes: number): Result<never> {
  return bytes === 0
    ? fail("corrupt", `${path} is empty: no entry was ever acknowledged in it.`, {
        path,
        fix: "Delete the session.",
      })
    : fail("corrupt", `${path} holds ${bytes} bytes and no readable entry; it was left as it is.`, {
        path,
        fix: "Check that it is a session log; other transcripts can be read with “palimpsest sessions show”.",
      });
}

export function refuseTakenOver(path: string): Result<never> {
  return fail("held", `${path} was taken over by force, and its former writer may still be alive.`, {
    path,
    fix: "End that process, or wait until its machine is known to be gone, and try again without --take-over.",
  });
}
