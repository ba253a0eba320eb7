import { resolve } from "node:path";
import type { ForkFile, Tool, ToolOutcome } from "@palimpsest/core/spec";
import type { TextEdit } from "../tools/files/editing/apply-edit.ts";
import { applyEdits } from "../tools/files/editing/apply-edits.ts";
import { editToolName } from "../tools/files/index.ts";
import type { LoopSetup } from "./run.ts";

/** Files that one fork may edit, in memory: the disk is never touched. */
export interface ConfinedFiles {
  /** The fork's setup. */
  readonly setup: LoopSetup;
  texts(): Readonly<Record<string, string>>;
}

/** Only Edit runs. Other tools stay known, so that a call of one is told that it may not be used. */
export function confineToFiles(
  setup: LoopSetup,
  files: Readonly<Record<string, ForkFile>>,
  cwd: string,
): ConfinedFiles {
  const texts = new Map(Object.entries(files).map(([path, { text }]) => [path, text]));

  function edit(input: unknown): ToolOutcome {
    const { file_path: given, ...change } = input as TextEdit & { readonly file_path: string };
    const path = [...texts.keys()].find((one) => resolve(cwd, one) === resolve(cwd, String(given)));
    if (path === undefined)
      return refusalOutcome(`“${given}” may not be touched here. Edit ${[...texts.keys()].join(", ")}.`);
    const applied = applyEdits(Buffer.from(texts.get(path) ?? ""), "utf-8", [change], path);
    if (!applied.ok)
      return refusalOutcome([applied.error.message, applied.error.fix].filter(Boolean).join(" "));
    const text = Buffer.from(applied.value.bytes).toString("utf8");
    texts.set(path, text);
    const remark = files[path]?.remark?.(text);
    return { content: [applied.value.report, ...(remark === undefined ? [] : [remark])].join("\n") };
  }

  function tool(name: string): Tool | undefined {
    const known = setup.tools(name);
    if (!known) return undefined;
    const { standsFor: _standsFor, subjectsOf: _subjectsOf, ...bare } = known;
    return name === editToolName ? { ...bare, run: async (input) => edit(input) } : bare;
  }

  return {
    setup: {
      ...setup,
      tools: tool,
      judge: () => ({ behavior: "allow", reason: "It only changes what the fork was given." }),
      resolve: async (subjects) => ({ subjects, paths: [] }),
    },
    texts: () => Object.fromEntries(texts),
  };
}

function refusalOutcome(content: string): ToolOutcome {
  return { content, isError: true };
}
