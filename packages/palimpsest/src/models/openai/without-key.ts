import { PalimpsestError } from "@palimpsest/core/spec";

/** The same error with the key masked, should a server have repeated it. */
export function withoutKey(error: PalimpsestError, key: string | undefined): PalimpsestError {
  const holdsKey = key !== undefined && (error.message.includes(key) || String(error.cause).includes(key));
  if (!holdsKey) return error;
  const { code, fix, path, retryable, facts } = error;
  return new PalimpsestError(code, error.message.replaceAll(key, "***"), {
    ...(fix !== undefined && { fix }),
    ...(path !== undefined && { path }),
    retryable,
    facts,
  });
}
