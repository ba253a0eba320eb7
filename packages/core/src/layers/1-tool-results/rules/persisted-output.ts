import { readBackFrom } from "../../../view/read-back.ts";
import type { OffloadChoice } from "../command.ts";
import type { StoredResult } from "../store-result.ts";
import { bytesOf, firstLines, lastLines } from "./cut-text.ts";
import { insideFrame } from "./inside-frame.ts";

/** What stands in the context for a result that went to disk. */
export function persistedOutput(
  choice: OffloadChoice,
  text: string,
  stored: Omit<StoredResult, "blob">,
  logAddress?: string,
): string {
  const { tool, toolUseId, isShell, previewBytes, tailBytes } = choice;
  const { bytes, lines, path, mediaPaths } = stored;
  const exitCode = isShell ? exitCodeOf(text) : undefined;
  const first = firstLines(text, previewBytes);
  const last = isShell ? lastLines(text.slice(first.length).trimEnd(), tailBytes) : "";
  return [
    "<persisted-output>",
    `${tool === undefined ? "This result" : `The result of ${tool}`} is too large to stand here: ${bytes} bytes, ${lines} ${lines === 1 ? "line" : "lines"}.`,
    ...(path === undefined ? [] : [`All of it is in ${path}`]),
    ...(mediaPaths.length === 0
      ? []
      : [`The images or documents below are also in ${mediaPaths.join(" and ")}`]),
    ...(exitCode === undefined ? [] : [`Exit code: ${exitCode}`]),
    `To read the rest: ${readBackFrom(path, toolUseId, logAddress)}.`,
    ...excerpt("first", first),
    ...excerpt("last", last),
    "</persisted-output>",
  ].join("\n");
}

function excerpt(which: "first" | "last", text: string): readonly string[] {
  return text === "" ? [] : [`The ${which} ${bytesOf(text)} bytes:`, insideFrame(text)];
}

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
