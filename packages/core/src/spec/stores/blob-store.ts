import type { BlobRef } from "../entry.ts";
import type { Result } from "../result.ts";

/** Bytes by their SHA-256. A blob belongs to one session and lives exactly as long as it. */
export interface BlobStore {
  /** Stored once however often it is put. With `durable` it survives power loss once this returns. */
  put(session: string, bytes: Uint8Array, options?: { readonly durable?: boolean }): Promise<Result<BlobRef>>;
  /** The bytes, checked against their name: `corrupt` if they differ, `collected` once the session was removed. */
  get(session: string, sha256: string): Promise<Result<Uint8Array>>;
  list(session: string): Promise<Result<readonly string[]>>;
  /** A readable name for a blob, such as a tool-use id: gives the path or address a person can open. */
  name(session: string, sha256: string, name: string): Promise<Result<string>>;
  removeAll(session: string): Promise<Result<void>>;
}
