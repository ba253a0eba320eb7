import type { ProjectStores } from "@palimpsest/core/spec";
import { createStyle, type Style } from "../terminal/style.ts";

/** A command's view of the person or program that called it. */
export interface Terminal {
  /** How wide what a person reads may be. */
  readonly columns: number;
  readonly style: Style;
  /** A person is there to be asked. */
  readonly isInteractive: boolean;
  /** A person sees what is said beside the answer. */
  readonly isWatched: boolean;
  /** A person sees the answer as it is written. */
  readonly isScreen: boolean;
  /** Whether the input comes from a program and not from a person. */
  readonly isPiped: boolean;
  /** Aborts when the person interrupts, and when nobody reads the answer any more. */
  readonly signal: AbortSignal;
  /** Nobody reads the answer any more, as after `| head`: no reason to leave work half done. */
  readonly isClosed: boolean;
  /** Part of the answer: nothing else goes there. Waits while the reader is slow. */
  write(part: string | Uint8Array): Promise<void>;
  /** A line for the person, beside the answer. */
  say(line: string): void;
  /** A line that the next one overwrites; nothing where no person is looking. */
  progress(line: string): void;
  confirm(question: string): Promise<boolean>;
  /** One line in the person's own words; `null` when the input ends. What was typed before it was asked is dropped. */
  ask(question: string): Promise<string | null>;
  /** Asks for something that is not shown while it is typed. */
  askHidden(question: string): Promise<string>;
  /** The piped input. */
  input(): AsyncIterable<Uint8Array>;
}

/** The context of every command. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** The data root, absolute. */
  readonly home: string;
  /** Where the command was called. */
  readonly folder: string;
  /** The value of `--store`: `files`, or the URL of a database. */
  readonly store?: string;
  /**
   * Where projects are stored: opened when it is first asked for, the same ever after, and closed when the command has
   * ended. Throws what is wrong with it. Absent: whoever needs one opens it.
   */
  readonly stores?: () => Promise<ProjectStores>;
  now(): number;
}

/** Where nobody looks and nobody types. */
export function silentTerminal(): Terminal {
  return {
    columns: 80,
    style: createStyle(false),
    isInteractive: false,
    isWatched: false,
    isScreen: false,
    isPiped: true,
    signal: new AbortController().signal,
    isClosed: false,
    write: async () => undefined,
    say: () => undefined,
    progress: () => undefined,
    confirm: async () => false,
    ask: async () => null,
    askHidden: async () => "",
    input: async function* () {},
  };
}
