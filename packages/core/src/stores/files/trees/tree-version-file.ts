import { type Disk, type DiskFile, ok, type Result, type TreeVersion } from "../../../spec/index.ts";
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
