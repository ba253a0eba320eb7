import { isWithin } from "../../permissions/plain-path.ts";
import { type Disk, fail, ok, type Result } from "../../spec/index.ts";
import { readWholeFile } from "../../stores/files/disk/whole-file.ts";
import { sha256Of } from "../../stores/shared/sha256.ts";
import { maxRulesFileBytes, type RulesFile } from "./rules-file.ts";

export interface RulesText {
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
