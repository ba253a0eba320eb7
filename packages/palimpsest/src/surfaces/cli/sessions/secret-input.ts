import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { diskFailure } from "@palimpsest/core/internal";
import { fail, PalimpsestError } from "@palimpsest/core/spec";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const maxSecretBytes = 1024 * 1024;

/** The secret, from a file, from what is piped in, or from a person; never from the command line. */
export async function readSecret(context: CommandContext, file: string | undefined): Promise<string> {
  const { terminal, folder } = context;
  if (file === undefined) {
    if (!terminal.isInteractive) {
      throw new UsageError(
        "nobody can be asked for the secret here; use: palimpsest sessions redact ID --secret-file FILE --yes (- for standard input)",
      );
    }
    return terminal.askHidden("Secret (not shown while you type): ");
  }
  const bytes = file === "-" ? await readAll(terminal.input()) : await readNamed(resolve(folder, file));
  return toSecret(bytes, file === "-" ? "standard input" : file);
}

async function readNamed(path: string): Promise<Uint8Array> {
  try {
    if ((await stat(path)).size > maxSecretBytes) throw tooLarge(path);
    return await readFile(path);
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) throw cause;
    const failure = diskFailure("read", path, cause);
    throw failure.ok ? cause : failure.error;
  }
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxSecretBytes) throw tooLarge("standard input");
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** One newline at the end is the editor's, not the secret's. */
function toSecret(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch (cause) {
    throw fail("invalid-input", `${name} is not UTF-8 text.`, {
      path: name,
      fix: "Give the secret as text.",
      cause,
    }).error;
  }
}

function tooLarge(name: string): PalimpsestError {
  const fix = "Give a file that holds the secret and nothing else.";
  return fail("too-large", `${name} is over ${maxSecretBytes} bytes.`, { path: name, fix }).error;
}
