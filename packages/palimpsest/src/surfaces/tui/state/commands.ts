import type { ChatState } from "./chat-state.ts";
import type { Editor } from "./editor.ts";

interface ChatCommand {
  readonly name: CommandName;
  /** The arguments behind it. */
  readonly form?: string;
  readonly summary: string;
  /** It only looks: it may be asked while the model works. */
  readonly onlyLooks?: boolean;
}

export type CommandName =
  | "clear"
  | "compact"
  | "config"
  | "context"
  | "cost"
  | "dream"
  | "help"
  | "hooks"
  | "memory"
  | "model"
  | "quit"
  | "resume"
  | "rewind"
  | "snip"
  | "tasks"
  | "undo";

/** The commands of a line that begins with a slash. */
export const chatCommands: readonly ChatCommand[] = [
  { name: "clear", summary: "start a new session; this one is kept" },
  {
    name: "compact",
    form: "[text]",
    summary: "replace the conversation so far by a summary; the text says what matters",
  },
  { name: "config", summary: "active settings and their sources", onlyLooks: true },
  { name: "context", summary: "contents of the context window", onlyLooks: true },
  { name: "cost", summary: "requests, tokens, cache and dollars", onlyLooks: true },
  { name: "dream", summary: "tidy up memories" },
  { name: "help", summary: "keys and commands", onlyLooks: true },
  { name: "hooks", summary: "your hooks: programs called on events", onlyLooks: true },
  { name: "memory", summary: "memories of this project", onlyLooks: true },
  { name: "model", form: "[name]", summary: "switch to another model" },
  { name: "quit", summary: "leave; the session is kept", onlyLooks: true },
  { name: "resume", form: "[id]", summary: "continue another session of this project" },
  { name: "rewind", summary: "go back to an earlier prompt" },
  { name: "snip", summary: "remove rounds that nothing later refers to" },
  { name: "tasks", summary: "background work", onlyLooks: true },
  {
    name: "undo",
    form: "[id]",
    summary: "undo the last compaction, folding or snip, or the one with this id",
  },
];

export interface ParsedCommand {
  readonly command: ChatCommand;
  readonly rest: string;
}

/** `null` for what is meant for the model, such as a path; `unknown` for a word that is no command. */
export function parseCommand(prompt: string): ParsedCommand | { readonly unknown: string } | null {
  const [, name, rest = ""] = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/i.exec(prompt.trim()) ?? [];
  if (name === undefined) return null;
  const command = chatCommands.find((each) => each.name === name.toLowerCase());
  return command ? { command, rest: rest.trim() } : { unknown: name };
}

/** One way the word at the cursor may go on. */
interface Candidate {
  readonly text: string;
  readonly detail: string;
}

export interface Completion {
  readonly kind: "command" | "file";
  /** Where the word begins. */
  readonly from: number;
  readonly candidates: readonly Candidate[];
}

export const maxCandidates = 8;

type CompletionState = Pick<ChatState, "editor" | "files" | "isCompletionClosed">;

/** How the word at the cursor may go on; `null` where there is nothing to offer. */
export function completionOf({ editor, files, isCompletionClosed }: CompletionState): Completion | null {
  if (isCompletionClosed) return null;
  const found = commandCompletion(editor) ?? fileCompletion(editor, files ?? []);
  return found && found.candidates.length > 0 ? found : null;
}

function commandCompletion({ text, cursor }: Editor): Completion | null {
  const [typed] = /^\/[a-z]*$/i.exec(text.slice(0, cursor)) ?? [];
  if (typed === undefined) return null;
  const name = typed.slice(1).toLowerCase();
  const candidates = chatCommands
    .filter((command) => command.name.startsWith(name))
    .map(({ name: found, form, summary }) => ({
      text: `/${found}`,
      detail: form === undefined ? summary : `${form}  ${summary}`,
    }));
  return { kind: "command", from: 0, candidates };
}

/** The text behind an @ that begins a word; `null` where the cursor is in none. */
export function mentionAt({ text, cursor }: Editor): string | null {
  const line = text.slice(Math.max(0, cursor - 512), cursor);
  return /(?:^|\s)@([^\s@]*)$/.exec(line)?.[1] ?? null;
}

function fileCompletion(editor: Editor, files: readonly string[]): Completion | null {
  const typed = mentionAt(editor);
  if (typed === null) return null;
  const ranked: { readonly path: string; readonly rank: number }[] = [];
  for (const path of files) {
    const rank = rankOf(path, typed);
    if (rank !== null) ranked.push({ path, rank });
  }
  ranked.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  const candidates = ranked.slice(0, maxCandidates).map(({ path }) => ({ text: `@${path}`, detail: "" }));
  return { kind: "file", from: editor.cursor - typed.length - 1, candidates };
}

/** Smaller is better: the name begins with it, holds it, the path holds it, the letters come in order. */
function rankOf(path: string, typed: string): number | null {
  const wanted = typed.toLowerCase();
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  if (lower.startsWith(wanted) || name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  if (lower.includes(wanted)) return 2;
  let from = 0;
  for (const letter of wanted) {
    from = lower.indexOf(letter, from) + 1;
    if (from === 0) return null;
  }
  return 3;
}

/** The word replaced by what was chosen, and a space behind it. */
export function acceptCandidate(
  { text, cursor }: Editor,
  { from }: Completion,
  candidate: Candidate,
): Editor {
  const rest = text.slice(cursor);
  const accepted = `${candidate.text}${rest.startsWith(" ") ? "" : " "}`;
  return { text: text.slice(0, from) + accepted + rest, cursor: from + accepted.length };
}
