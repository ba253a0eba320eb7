export type Trust = "trusted" | "untrusted";

/**
 * Where untrusted words come from. `answer`: what the model said while others of these were in view. `media`: an image or
 * document. `program`: what a program put into a message of the user's. `notice`: something attached that is not known to
 * be the user's or the project's own.
 */
export type TaintKind =
  | "shell"
  | "web"
  | "mcp"
  | "agent"
  | "memory"
  | "tool"
  | "dependency"
  | "ignored-file"
  | "outside-file"
  | "media"
  | "program"
  | "notice"
  | "summary"
  | "answer";

export interface TaintSource {
  readonly kind: TaintKind;
  /** The entry by which it stands in the view. */
  readonly entry: string;
  readonly toolUseId?: string;
  /** The tool, the file or the kind of notice. */
  readonly name?: string;
}

/** Whether something written now is trusted, and what speaks against it, oldest first. */
export interface Taint {
  readonly trust: Trust;
  readonly because: readonly TaintSource[];
}
