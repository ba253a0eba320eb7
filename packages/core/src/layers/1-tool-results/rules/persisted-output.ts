import { readBackFrom } from "../../../view/read-back.ts";
import type { OffloadChoice } from "../command.ts";
import type { StoredResult } from "../store-result.ts";
import { bytesOf, firstLines, lastLines } from "./cut-text.ts";
import { exitCodeOf } from "./exit-code.ts";
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
