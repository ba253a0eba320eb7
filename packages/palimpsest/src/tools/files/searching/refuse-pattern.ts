import { fail, type Result } from "@palimpsest/core/spec";

export function refusePattern(why: string, fix: string): Result<never> {
  return fail("invalid-input", `The pattern does not work: ${why}.`, { fix });
}

export function refuseNewline(): Result<never> {
  return refusePattern("it names a line end", "Set multiline to search across lines.");
}
