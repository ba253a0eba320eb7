import { appendFile, chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { SecretMask } from "@palimpsest/core/internal";
import { parseJson } from "@palimpsest/core/internal";
import type {
  Event,
  PermissionQuestion,
  PermissionRules,
  RunOptions,
  Session,
  Usage,
} from "@palimpsest/core/spec";
import type { GraceOptions } from "../../../loop/agent/memory/extraction-grace.ts";
import type { ChoiceItem } from "../state/dialog.ts";
import type { BackgroundSources } from "./watch-background.ts";

/** Which session to open. */
export interface SessionChoice {
  /** Absent: a new one. */
  readonly id?: string;
  readonly model?: string;
  /** It begins in the place of another, which is kept. */
  readonly isCleared?: boolean;
}

interface OpenedChat {
  readonly session: Session;
  readonly model: string;
  readonly background: BackgroundSources;
}

/** Who is told what happens in a session that is opened. */
interface ChatListener {
  event(event: Event): void;
  warn(text: string): void;
  /** An agent below the session wants something that no rule allows. */
  readonly ask: NonNullable<RunOptions["onPermission"]>;
  /** Memories are being written while the session is closed; the signal ends the wait. */
  readonly grace: GraceOptions;
  /** A message has come that the model has not read. */
  mail(mail: { readonly from: string; readonly summary?: string }): void;
}

/** A panel that the rest of the program can show as well. */
export type PanelName = "memory" | "config" | "hooks" | "dream";

/** The terminal agent's access to the world around it. */
export interface ChatEnvironment {
  readonly cwd: string;
  open(choice: SessionChoice, listener: ChatListener): Promise<OpenedChat>;
  /** Where the log of a session or an agent is. */
  logPath(session: string): string;
  /** The project's sessions, newest first. */
  sessions(): Promise<readonly ChoiceItem[]>;
  /** The id that is meant; throws where there is none. */
  findSession(named: string): Promise<string>;
  /** Models that can be reached from here. */
  models(current: string): Promise<readonly ChoiceItem[]>;
  /** The name a model is opened by. Throws where it cannot be reached from here. */
  checkModel(name: string): Promise<string>;
  files(): Promise<readonly string[]>;
  remember(prompt: string): Promise<void>;
  /** The rules that “always” would add. */
  always(question: PermissionQuestion): PermissionRules | undefined;
  panel(
    name: PanelName,
    location: {
      readonly columns: number;
      /** The session's. */
      readonly model: string;
      readonly signal: AbortSignal;
      readonly step: (text: string) => void;
    },
  ): Promise<readonly string[]>;
  /** Dollars of a response, by the model that it names and the one that was asked. */
  dollars(usage: Usage, answered: string | undefined, asked: string): number;
}

const maxPrompts = 1_000;

/** The prompts of a project, kept for later: one JSON text a line, for the user alone, without secrets. */
export interface PromptFile {
  read(): Promise<readonly string[]>;
  add(prompt: string): Promise<void>;
}

export function createPromptFile(path: string, { mask }: Pick<SecretMask, "mask">): PromptFile {
  return {
    async read() {
      const text = await readFile(path, "utf8").catch(() => "");
      const prompts = text.split("\n").flatMap(promptOf);
      if (prompts.length <= 2 * maxPrompts) return prompts.slice(-maxPrompts);
      const kept = prompts.slice(-maxPrompts);
      await writeFile(path, kept.map(lineOf).join(""), { mode: 0o600 }).catch(() => undefined);
      return kept;
    },
    /** Losing one costs nothing but typing: no failure is told. */
    async add(prompt) {
      const masked = await mask(prompt);
      if (!masked.ok) return;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await appendFile(path, lineOf(masked.value.text), { mode: 0o600 });
        await chmod(path, 0o600);
      } catch {}
    },
  };
}

const lineOf = (prompt: string) => `${JSON.stringify(prompt)}\n`;

/** A line that a crash has torn is left out. */
function promptOf(line: string): readonly string[] {
  const prompt = parseJson(line);
  return typeof prompt === "string" ? [prompt] : [];
}
