/** How much of the beginning and of the end of an output is searched for the exit code. */
const searchedChars = 400;

/** `Exit code 1` (Claude Code), `Exit code: 1` (Codex), `Exit Code: 1` (Gemini CLI), `Command exited with code 1` (pi). */
const line =
  /^[ \t]*(?:\(|\[)?(?:(?:command|process) )?(?:exit(?:ed)?(?: with)? (?:code|status)|exit_code)[ \t]*[:=]?[ \t]*(-?\d+)/im;

/** `"metadata":{"exit_code":1}` (Codex). */
const field = /"exit_?code"\s*:\s*(-?\d+)/i;

/** The exit code that a shell's output tells of at its end or its beginning; `undefined` where it tells of none. */
export function exitCodeOf(output: string): number | undefined {
  const places = [output.slice(-searchedChars), output.slice(0, searchedChars)];
  for (const place of places) {
    const found = line.exec(place) ?? field.exec(place);
    if (found) return Number(found[1]);
  }
  return undefined;
}
