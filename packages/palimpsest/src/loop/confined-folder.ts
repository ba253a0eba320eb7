import { relative, resolve, sep } from "node:path";
import type { ForkFolder, Tool, ToolOutcome } from "@palimpsest/core/spec";
import type { TextEdit } from "../tools/files/editing/apply-edit.ts";
import { applyEdits } from "../tools/files/editing/apply-edits.ts";
import type { ConfinedFiles } from "./confined-files.ts";
import type { LoopSetup } from "./run.ts";

type PathInput = { readonly file_path: string };
type Changing = (path: string, input: unknown) => string | ToolOutcome;

/**
 * A folder of which one fork has a copy in memory. Write, Edit and MultiEdit work on the copy and nowhere else; Read
 * gives its files as they have left them. Other tools, and other paths for Read, are as they were.
 */
export function confineToFolder(setup: LoopSetup, folder: ForkFolder, cwd: string): ConfinedFiles {
  const texts = new Map(Object.entries(folder.files));

  /** The path below the folder; `null` for every other. */
  function below(given: unknown): string | null {
    const path = relative(resolve(folder.path), resolve(cwd, String(given)));
    const isBelow = path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && resolve(path) !== path;
    return isBelow ? path.split(sep).join("/") : null;
  }

  const writing: Readonly<Record<string, Changing>> = {
    Write: (_, input) => (input as { readonly content: string }).content,
    Edit: (path, input) => edited(path, [input as TextEdit]),
    MultiEdit: (path, input) => edited(path, (input as { readonly edits: readonly TextEdit[] }).edits),
  };

  function edited(path: string, edits: readonly TextEdit[]): string | ToolOutcome {
    const text = texts.get(path);
    if (text === undefined) return refused(`There is no file ${folder.path}/${path}. Make it with Write.`);
    const applied = applyEdits(Buffer.from(text), "utf-8", edits, `${folder.path}/${path}`);
    if (applied.ok) return Buffer.from(applied.value.bytes).toString("utf8");
    return refused([applied.error.message, applied.error.fix].filter(Boolean).join(" "));
  }

  function change(make: Changing, input: unknown): ToolOutcome {
    const { file_path: given } = input as PathInput;
    const path = below(given);
    if (path === null) return refused(`“${given}” may not be written here: only files below ${folder.path}.`);
    const made = make(path, input);
    if (typeof made !== "string") return made;
    const why = folder.refuse?.(path, made);
    if (why !== undefined) return refused(why);
    texts.set(path, made);
    return { content: `Written: ${folder.path}/${path}.` };
  }

  function reading(known: Tool): Tool {
    const held = (input: unknown) => texts.get(below((input as PathInput).file_path) ?? "");
    return {
      ...known,
      subjectsOf: (input) => (held(input) === undefined ? (known.subjectsOf?.(input) ?? []) : []),
      async run(input, context) {
        const text = held(input);
        if (text !== undefined) return { content: numbered(text) };
        return (await known.run?.(input, context)) ?? refused("There is nothing to read with.");
      },
    };
  }

  function tool(name: string): Tool | undefined {
    const known = setup.tools(name);
    const make = Object.hasOwn(writing, name) ? writing[name] : undefined;
    if (!known || (!make && name !== "Read")) return known;
    if (!make) return reading(known);
    const { standsFor: _standsFor, subjectsOf: _subjectsOf, ...bare } = known;
    return { ...bare, run: async (input) => change(make, input) };
  }

  return {
    setup: {
      ...setup,
      tools: tool,
      judge: (matter) =>
        Object.hasOwn(writing, matter.tool)
          ? { behavior: "allow", reason: "It only changes the copy that the fork was given." }
          : setup.judge(matter),
    },
    texts: () => Object.fromEntries(texts),
  };
}

function numbered(text: string): string {
  if (text === "") return "The file is empty.";
  return text
    .split("\n")
    .map((line, index) => `${index + 1}\t${line}`)
    .join("\n");
}

function refused(content: string): ToolOutcome {
  return { content, isError: true };
}
