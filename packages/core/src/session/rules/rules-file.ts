import { isWithin } from "../../permissions/plain-path.ts";
import { type Disk, fail, ok, type Result } from "../../spec/index.ts";
import { readWholeFile } from "../../stores/files/disk/whole-file.ts";
import { sha256Of } from "../../stores/shared/sha256.ts";

/** A rules file as it was read. */
export interface RulesFile {
  /** Absolute, as it was found; where a link stands, the link's. */
  readonly path: string;
  /** Whose it is: a project's is data from the project. */
  readonly level: "user" | "project";
  /** Exactly what stands in it. */
  readonly text: string;
  /** Of its bytes. */
  readonly sha256: string;
  /** The file that includes it, where it was not found by its name. */
  readonly includedBy?: string;
  /** It was written while untrusted text was in view, and no person has confirmed it: it is data. */
  readonly isUnconfirmed?: boolean;
  /** Includes that were left out, and why. */
  readonly notes: readonly string[];
}

/** The files of one place, and what was found there and not read. */
export interface LoadedRules {
  readonly files: readonly RulesFile[];
  readonly notes: readonly string[];
}

/** The names that rules files have, in the order they are read in. A local one is the user's own. */
export const rulesNames: readonly string[] = [
  "AGENTS.md",
  "CLAUDE.md",
  "PALIMPSEST.md",
  "AGENTS.local.md",
  "CLAUDE.local.md",
  "PALIMPSEST.local.md",
];

/** Rules are read whole or not at all. */
export const maxRulesFileBytes = 102_400;
/** All rules of a session together. */
export const maxRulesTotalBytes = 409_600;
/** How deep files may include each other. */
export const maxIncludeDepth = 5;

interface RulesText {
  /** Where it really is. */
  readonly realPath: string;
  readonly text: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Reads a file of rules whole. A project's file must lie in the project, also once links are followed, unless somebody
 * has allowed this very path. `not-found` where there is none.
 */
export async function readRulesFile(
  disk: Disk,
  path: string,
  { level, root }: { readonly level: RulesFile["level"]; readonly root: string | undefined },
): Promise<Result<RulesText>> {
  const real = await disk.realPath(path);
  if (!real.ok) return real;
  if (level === "project" && root !== undefined && !isWithin(real.value, root)) {
    return fail("denied", "it leads out of the project", { path });
  }
  const stat = await disk.stat(real.value);
  if (!stat.ok) return stat;
  if (stat.value.kind !== "file") return fail("is-directory", "it is no file", { path });
  const bytes = await readWholeFile(disk, real.value, maxRulesFileBytes);
  if (!bytes.ok) {
    const { code, message } = bytes.error;
    return code === "too-large"
      ? fail(code, `it has more than ${maxRulesFileBytes} bytes`)
      : fail(code, message);
  }
  const text = decode(bytes.value);
  if (text === undefined) return fail("unknown-format", "it is no text", { path });
  return ok({ realPath: real.value, text, sha256: sha256Of(bytes.value), bytes: bytes.value.length });
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
