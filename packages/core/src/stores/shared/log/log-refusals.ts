import { formatVersion } from "../../../log/codec.ts";
import { fail, type Result } from "../../../spec/index.ts";

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
