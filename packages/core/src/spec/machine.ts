import type { Result } from "./result.ts";

/** Time, handed in. Nothing reads the machine's clock by itself, so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. */
  now(): number;
  /** Milliseconds since some fixed moment; never goes back. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. Does not keep a process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Names for things, handed in. */
export interface Ids {
  /** A new id that begins with `prefix` and an underscore; unique, and safe as a file name. */
  next(prefix: string): string;
}

/**
 * The part of a file system that the file stores stand on, small enough to be simulated faithfully.
 * Nothing here follows a symbolic link in the last part of a path (`invalid-path`), except `realPath`.
 * Failures have the codes `not-found`, `exists`, `is-directory`, `not-directory`, `permission`, `disk-full`,
 * `invalid-path`, `closed`, and `io` for everything else.
 */
export interface Disk {
  /**
   * `read`: must exist. `append`: must exist; reads allowed, writes go to the end. `create`: must not exist, mode
   * 0600, otherwise as `append`.
   */
  open(path: string, how: "read" | "append" | "create"): Promise<Result<DiskFile>>;
  /** About the thing itself, not what a link points to. */
  stat(path: string): Promise<Result<DiskStat>>;
  /** As `stat` of each, in this order, for less where there are thousands. A disk without it is asked for each. */
  statAll?(paths: readonly string[]): Promise<readonly Result<DiskStat>[]>;
  /** Names in a directory, sorted by code unit. */
  list(path: string): Promise<Result<readonly string[]>>;
  /** With parents, mode 0700; fine if it is there already. */
  makeDirectory(path: string): Promise<Result<void>>;
  /** Atomic; replaces a file at `to`. */
  rename(from: string, to: string): Promise<Result<void>>;
  /** A second name for a file; fails with `exists` if `to` is there: the one atomic "create if absent" with content. */
  link(from: string, to: string): Promise<Result<void>>;
  /** Removes a file or a link. */
  remove(path: string): Promise<Result<void>>;
  /** Removes a directory and all in it; fine if absent. */
  removeTree(path: string): Promise<Result<void>>;
  /** Makes names created, renamed or removed in a directory survive power loss. */
  syncDirectory(path: string): Promise<Result<void>>;
  /** The path with every link resolved. */
  realPath(path: string): Promise<Result<string>>;
}

export interface DiskFile {
  /** Fills `into` from `position`; fewer bytes only at the end of the file, 0 past it. */
  read(position: number, into: Uint8Array): Promise<Result<number>>;
  /** Writes all of `bytes` at the end. On failure an unknown beginning of them may have been written. */
  append(bytes: Uint8Array): Promise<Result<void>>;
  truncate(bytes: number): Promise<Result<void>>;
  /** Sets when it was modified, in whole milliseconds; survives power loss once it is synced. */
  setModified(ms: number): Promise<Result<void>>;
  /** Data and size survive power loss once this returns. After a failure nothing about unsynced data is known. */
  sync(): Promise<Result<void>>;
  stat(): Promise<Result<DiskStat>>;
  close(): Promise<Result<void>>;
}

export interface DiskStat {
  readonly kind: "file" | "directory" | "link" | "other";
  readonly bytes: number;
  readonly modifiedMs: number;
  /** How many names the file has. */
  readonly links: number;
  /** Same string, same file. */
  readonly identity: string;
  /** Permission bits. */
  readonly mode: number;
}

/** Turns texts into vectors whose closeness is closeness of meaning. Does not throw. */
export interface Embeddings {
  /** Names model and version: vectors of another id are not compared with these. */
  readonly id: string;
  readonly dimensions: number;
  /** One vector a text, in their order, each of `dimensions` numbers. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Result<readonly Float32Array[]>>;
}

/** Enough to tell one process from every other one, also after a reboot, in a container and when a pid is used again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; two processes with one pid have different ones. */
  readonly startTime: string;
  readonly bootId: string;
  readonly host: string;
  /** Opaque; pids of different namespaces cannot be compared. */
  readonly pidNamespace: string;
}

export interface Processes {
  self(): Promise<ProcessIdentity>;
  /** The start time of a live process, `gone` if there is none (a zombie is gone), `unknown` if it cannot be told. */
  look(
    pid: number,
  ): Promise<
    { readonly state: "alive"; readonly startTime: string } | { readonly state: "gone" | "unknown" }
  >;
}

export interface ShellOptions {
  readonly cwd: string;
  /** The whole environment of the program. */
  readonly environment: Readonly<Record<string, string>>;
  /** Written to its input, which is then closed; absent: it has none. */
  readonly input?: string;
  /** Every piece of output, as it comes. */
  readonly onOutput?: (bytes: Uint8Array, stream: "stdout" | "stderr") => void;
}

export interface ShellEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface ShellProcess {
  /** Once it has ended and its output has come; fails where it could not be started. */
  readonly ended: Promise<Result<ShellEnd>>;
  /** Ends it and all its children: asked first, forced after `graceMs`. Safe to call twice and afterwards. */
  kill(graceMs?: number): void;
}

/** Runs programs, each with its children in a group of its own. Arguments are handed over as they are. */
export interface Shell {
  start(program: string, args: readonly string[], options: ShellOptions): ShellProcess;
}
