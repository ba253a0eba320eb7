export interface ChatCommand {
  readonly name: CommandName;
  /** What may stand behind it. */
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

/** What a line that begins with a slash can ask for. */
export const chatCommands: readonly ChatCommand[] = [
  { name: "clear", summary: "begin a new session; this one is kept" },
  {
    name: "compact",
    form: "[text]",
    summary: "put a summary in place of the past; the text says what matters",
  },
  { name: "config", summary: "what is set here, and by whom", onlyLooks: true },
  { name: "context", summary: "what fills the model's window", onlyLooks: true },
  { name: "cost", summary: "requests, tokens, cache and dollars", onlyLooks: true },
  { name: "dream", summary: "put memories in order" },
  { name: "help", summary: "keys and commands", onlyLooks: true },
  { name: "hooks", summary: "programs of yours that are told what happens", onlyLooks: true },
  { name: "memory", summary: "what is remembered of this project", onlyLooks: true },
  { name: "model", form: "[name]", summary: "answer with another model from here on" },
  { name: "quit", summary: "leave; the session is kept", onlyLooks: true },
  { name: "resume", form: "[id]", summary: "go on with another session of this project" },
  { name: "rewind", summary: "go back to an earlier prompt" },
  { name: "snip", summary: "take out rounds that nothing later refers to" },
  { name: "tasks", summary: "what goes on in the background", onlyLooks: true },
  {
    name: "undo",
    form: "[id]",
    summary: "take back the last compaction, folding or snip, or what an id names",
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
