import { appendFile, chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { SecretMask } from "@palimpsest/core/internal";

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
  try {
    const prompt: unknown = JSON.parse(line);
    return typeof prompt === "string" ? [prompt] : [];
  } catch {
    return [];
  }
}
