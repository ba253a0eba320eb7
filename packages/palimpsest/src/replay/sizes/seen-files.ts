import { contentText, fileTools } from "@palimpsest/core/internal";
import { type ContentBlock, type FileAction, isBlock, type ToolUseBlock } from "@palimpsest/core/spec";
import { pathOf } from "../grounding/need-state.ts";
import { usualScale } from "./fit-sizes.ts";
import { estimatedTokens } from "./prompt-content.ts";

/** The files of a recording, the one that was read or changed last at the end. */
export interface SeenFiles {
  see(content: readonly ContentBlock[]): void;
  /** Tokens Claude Code puts behind a compaction's summary, without a line in the file: estimated. */
  restoredTokens(): number;
}

/**
 * Claude Code brings back five files whole, with line numbers; of one over 5,000 tokens it tells only the name. That
 * these are tokens by our estimate, and not characters, was chosen on recorded sessions.
 */
const maxRestored = 5;
const maxFileTokens = 5_000;
/** The words around each of them. */
const wrappingTokens = 60;
/** A file that is read without a limit is shown up to this line. */
const wholeReadLines = 2_000;
const foundLine = /^(?:\.\/)?([\w./-]*\.\w+)[:-](\d+)[:-]/gm;
const foundInOne = /^(\d+)[:-]/gm;

export function createSeenFiles(): SeenFiles {
  const files = new Map<string, SeenFile>();
  const calls = new Map<string, ToolUseBlock>();
  /** By the path or its end, as searches print it: the highest line that was found. */
  const found = new Map<string, number>();

  function settle({ name, input }: ToolUseBlock, text: string): void {
    const action = fileTools.get(name);
    const path = pathOf(input);
    if (action === undefined) search(path, text);
    else if (path !== undefined) touch(path, (file) => settleFile(file, action, input, text));
  }

  function search(path: string | undefined, text: string): void {
    for (const [, place = "", line] of text.matchAll(foundLine)) find(place, Number(line));
    if (path !== undefined && /\.\w+$/.test(path))
      for (const [, line] of text.matchAll(foundInOne)) find(path, Number(line));
  }

  function find(place: string, line: number): void {
    found.set(place, Math.max(line, found.get(place) ?? 0));
  }

  function touch(path: string, change: (file: SeenFile) => void): void {
    const file = files.get(path) ?? createSeenFile();
    files.delete(path);
    files.set(path, file);
    change(file);
  }

  function leastLines(path: string): number {
    let lines = 0;
    for (const [place, line] of found)
      if (path === place || path.endsWith(`/${place}`)) lines = Math.max(lines, line);
    return lines;
  }

  return {
    see(content) {
      for (const block of content) {
        if (isBlock(block, "tool_use")) calls.set(block.id, block);
        if (!isBlock(block, "tool_result") || block.is_error) continue;
        const call = calls.get(block.tool_use_id);
        if (call) settle(call, contentText(block.content));
      }
    },
    restoredTokens() {
      let tokens = 0;
      for (const [path, file] of [...files].slice(-maxRestored)) {
        const { plain, numbered } = file.sizes(leastLines(path));
        tokens += wrappingTokens + (plain * usualScale <= maxFileTokens ? numbered : 0);
      }
      return tokens;
    },
  };
}

interface FileInput {
  readonly limit?: unknown;
  readonly content?: unknown;
  readonly edits?: unknown;
  readonly old_string?: unknown;
  readonly new_string?: unknown;
  readonly replace_all?: unknown;
}

function settleFile(file: SeenFile, action: FileAction, input: unknown, text: string): void {
  const { limit, content, edits, ...change } = input as FileInput;
  if (action === "read") file.show(text, typeof limit === "number" ? limit : wholeReadLines);
  else if (action === "written" && typeof content === "string") file.write(content);
  else for (const one of Array.isArray(edits) ? edits : [change]) settleChange(file, one as FileInput);
}

function settleChange(file: SeenFile, { old_string, new_string, replace_all }: FileInput): void {
  if (typeof old_string !== "string" || typeof new_string !== "string") return;
  file.edit(old_string, new_string, replace_all === true);
}

/** A file as far as a recording shows it: from what tools printed of it and from what was changed in it. */
interface SeenFile {
  /** Lines as a file tool prints them, behind their numbers. Fewer than were asked for: the file ends there. */
  show(printed: string, askedLines: number): void;
  write(text: string): void;
  /** Leaves what it does not find. */
  edit(before: string, after: string, isEverywhere: boolean): void;
  /** Estimated; lines that were never shown are taken to be like the others, of which there are at least `minLines`. */
  sizes(minLines: number): { readonly plain: number; readonly numbered: number };
}

/** Stands for a line that was never shown. */
const unseen = "\u0000";
const numbered = /^ *(\d+)(?:→|\t)(.*)$/;
const maxLines = 100_000;

export function createSeenFile(): SeenFile {
  let lines: string[] = [];
  let isEndKnown = false;

  return {
    show(printed, askedLines) {
      let last = 0;
      let count = 0;
      for (const line of printed.split("\n")) {
        const [, number, text] = numbered.exec(line) ?? [];
        if (number === undefined || text === undefined || Number(number) > maxLines) continue;
        last = Number(number);
        count += 1;
        while (lines.length < last) lines.push(unseen);
        lines[last - 1] = text;
      }
      if (count === 0 || count >= askedLines) return;
      lines = lines.slice(0, last);
      isEndKnown = true;
    },
    write(text) {
      lines = text.split("\n");
      isEndKnown = true;
    },
    edit(before, after, isEverywhere) {
      const text = lines.join("\n");
      if (!text.includes(before)) return;
      const changed = isEverywhere ? text.split(before).join(after) : text.replace(before, () => after);
      lines = changed.split("\n");
    },
    sizes(minLines) {
      const shown = lines.flatMap((line, at) => (line === unseen ? [] : [{ line, number: at + 1 }]));
      const all = isEndKnown ? lines.length : Math.max(minLines, lines.length);
      const grown = all / Math.max(1, shown.length);
      const withNumbers = shown.map(({ line, number }) => `${String(number).padStart(6)}→${line}`);
      return {
        plain: grown * tokensOf(shown.map(({ line }) => line)),
        numbered: grown * tokensOf(withNumbers),
      };
    },
  };
}

function tokensOf(lines: readonly string[]): number {
  return estimatedTokens({ type: "text", text: lines.join("\n") });
}
