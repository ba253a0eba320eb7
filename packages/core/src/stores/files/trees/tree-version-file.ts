import { type Disk, type DiskFile, fail, ok, type Result, type TreeVersion } from "../../../spec/index.ts";
import { sha256Of } from "../../shared/sha256.ts";
import {
  damagedVersion,
  maxHeaderBytes,
  parseVersionHeader,
  type VersionContent,
} from "../../shared/trees/tree-version.ts";

const firstReadBytes = 4 * 1024;
const newline = 0x0a;

/** The header alone; that the content is as long as it says is checked, its hash is not. */
export function readVersionHeader(
  disk: Disk,
  file: string,
  expected: { readonly path: string; readonly version: number },
): Promise<Result<TreeVersion>> {
  return readVersionFile(disk, file, async (opened, bytes) => {
    const header = await findHeader(opened, file, bytes, expected);
    return header.ok ? ok(header.value.version) : header;
  });
}

/** The whole version; `corrupt` unless the content has the hash that the header names. */
export function readVersion(
  disk: Disk,
  file: string,
  expected: { readonly path: string; readonly version: number },
): Promise<Result<VersionContent>> {
  return readVersionFile(disk, file, async (opened, bytes) => {
    const header = await findHeader(opened, file, bytes, expected);
    if (!header.ok) return header;
    const { version, length } = header.value;
    const content = new Uint8Array(version.bytes);
    const read = await opened.read(length, content);
    if (!read.ok) return read;
    if (sha256Of(content) !== version.sha256)
      return damagedVersion(file, "its content does not have its hash");
    return ok({ version, content });
  });
}

async function readVersionFile<T>(
  disk: Disk,
  file: string,
  use: (opened: DiskFile, bytes: number) => Promise<Result<T>>,
): Promise<Result<T>> {
  const opened = await disk.open(file, "read");
  if (!opened.ok) return opened;
  try {
    const stat = await opened.value.stat();
    return stat.ok ? await use(opened.value, stat.value.bytes) : stat;
  } finally {
    await opened.value.close();
  }
}

interface FoundHeader {
  readonly version: TreeVersion;
  /** Bytes before the content. */
  readonly length: number;
}

async function findHeader(
  opened: DiskFile,
  file: string,
  fileBytes: number,
  expected: { readonly path: string; readonly version: number },
): Promise<Result<FoundHeader>> {
  for (const limit of [firstReadBytes, maxHeaderBytes]) {
    const head = Buffer.alloc(Math.min(limit, fileBytes));
    const read = await opened.read(0, head);
    if (!read.ok) return read;
    const end = head.subarray(0, read.value).indexOf(newline);
    if (end === -1) continue;
    const version = parseVersionHeader(head.toString("utf8", 0, end), file, expected);
    if (!version.ok) return version;
    const length = end + 1;
    if (length + version.value.bytes === fileBytes) return ok({ version: version.value, length });
    return damagedVersion(file, "its content does not have its length");
  }
  return damagedVersion(file, "it has no header");
}

export interface SettledFile {
  readonly identity: string;
  readonly modifiedMs: number;
  readonly sha256: string;
  readonly content: Uint8Array;
}

const maxTries = 50;

/**
 * A whole file that did not change while it was read, for files that other programs write in place.
 * `too-large` over `maxBytes`; retryable `io` if it never holds still.
 */
export async function readSettledFile(
  disk: Disk,
  path: string,
  maxBytes: number,
): Promise<Result<SettledFile>> {
  const opened = await disk.open(path, "read");
  if (!opened.ok) return opened;
  try {
    return await readUntilSettled(opened.value, path, maxBytes);
  } finally {
    await opened.value.close();
  }
}

async function readUntilSettled(
  file: DiskFile,
  path: string,
  maxBytes: number,
): Promise<Result<SettledFile>> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const before = await file.stat();
    if (!before.ok) return before;
    const { bytes, modifiedMs, identity } = before.value;
    if (bytes > maxBytes) {
      return fail("too-large", `${path} has ${bytes} bytes, over the limit of ${maxBytes}.`, {
        path,
        fix: "Shorten the file or move it away.",
        facts: { bytes, maxBytes },
      });
    }
    const content = new Uint8Array(bytes);
    const read = await file.read(0, content);
    if (!read.ok) return read;
    const after = await file.stat();
    if (!after.ok) return after;
    if (after.value.bytes === read.value && after.value.modifiedMs === modifiedMs) {
      return ok({ identity, modifiedMs, sha256: sha256Of(content), content });
    }
  }
  return fail("io", `${path} is being written by another program.`, {
    path,
    fix: "Try again when it is finished.",
    retryable: true,
  });
}
