import { spawn } from "node:child_process";
import { once } from "node:events";
import { fail } from "@palimpsest/core/spec";
import { interruption } from "../ask.ts";

/** Opens a file in the person's editor and waits until it is closed. `VISUAL` and `EDITOR` may have arguments. */
export async function runEditor(file: string, signal: AbortSignal): Promise<void> {
  const { VISUAL, EDITOR } = process.env;
  const editor = VISUAL || EDITOR;
  if (!editor) {
    throw fail("not-found", "No editor is set.", {
      fix: "Set EDITOR, for example EDITOR=nano, and call this again.",
    }).error;
  }
  if (signal.aborted) throw interruption();
  // The file's name is an argument, so that nothing in it is read by the shell.
  const child = spawn("sh", ["-c", `${editor} "$@"`, editor, file], { stdio: "inherit" });
  const [code, killedBy] = await once(child, "close");
  if (signal.aborted) throw interruption();
  if (code === 0) return;
  const how = code === null ? `by ${killedBy}` : `with code ${code}`;
  throw fail("crashed", `The editor “${editor}” ended ${how}. Nothing was written.`, {
    fix: "Check EDITOR, and call this again.",
  }).error;
}
