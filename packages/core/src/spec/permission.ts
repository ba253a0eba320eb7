/**
 * `default`: reads and writes inside the workspace go ahead, what reaches outside it and every command that is not
 * known to change nothing asks. `ask`: every change asks. `plan`: nothing may change but the plan. `bypass`: nothing
 * asks, and only what a rule denies is denied.
 */
export type PermissionMode = "default" | "ask" | "plan" | "bypass";

/** A file, command or address that a call would touch. A path is absolute; the name of a tool stands for itself. */
export interface ToolSubject {
  readonly kind: "path" | "command" | "url";
  readonly value: string;
  readonly access: "read" | "write" | "execute";
  /** Where a path leads once links are followed; `null` where that cannot be told. Absent: the path itself. */
  readonly realPath?: string | null;
  /** Of a command: the folder it would run in; absent: the one the agent works in. */
  readonly folder?: string;
  /** Of a command: what it would read, as far as that is known, for rules about reading. */
  readonly reads?: readonly CommandSubjectRead[];
  /** Of a command that changes nothing: it may read more than `reads` says. */
  readonly mayReadMore?: boolean;
}

/** A path that a command would read. */
export interface CommandSubjectRead {
  /** Absolute; as the shell gets it where `isPattern`. */
  readonly value: string;
  /** Where it leads once links are followed, of a pattern the folder it begins in; `null` where that cannot be told. */
  readonly realPath?: string | null;
  /** Names of files may stand in its place. */
  readonly isPattern?: boolean;
  /** Everything below it is read too. */
  readonly isRecursive?: boolean;
  /** The repository that git is in, which may begin above the workspace: rules hold for it, the workspace's bounds do not. */
  readonly isRepository?: boolean;
}

/** Rules as people write them: `Bash(git status:*)`, `Edit(src/**)`, `WebFetch(domain:example.org)`, `mcp__files__*`. */
export interface PermissionRules {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

export interface PermissionQuestion {
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly subjects: readonly ToolSubject[];
  /** Why it is asked, for a person. */
  readonly reason: string;
  /** The name of the agent that wants it; absent: the session itself does. */
  readonly agent?: string;
}

export type PermissionAnswer =
  | {
      readonly behavior: "allow" /** Rules to add for the rest of the session. */;
      readonly rules?: PermissionRules;
    }
  | { readonly behavior: "deny"; readonly reason?: string };

/** The decision of rules and mode about a call, and why. */
export interface PermissionVerdict {
  readonly behavior: "allow" | "ask" | "deny";
  readonly reason: string;
  /** The rule that decided, where one did. */
  readonly rule?: string;
}
