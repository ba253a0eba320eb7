import {
  type Disk,
  type DiskFile,
  fail,
  ok,
  type PalimpsestError,
  type Result,
  type TreeVersion,
} from "../../../spec/index.ts";
import { isSha256, sha256Of } from "../disk/sha256.ts";

/** Limits a text, whoever wrote it. */
export const maxTreeFileBytes = 16 * 1024 * 1024;

const formatVersion = 1;
const firstReadBytes = 4 * 1024;
const maxHeaderBytes = 64 * 1024;
const newline = 0x0a;

/** A version file is one line of JSON that says what it is, then the content as it was. */
export function encodeVersion(version: TreeVersion, content: Uint8Array): Result<Uint8Array> {
  const header = Buffer.from(`${JSON.stringify({ v: formatVersion, ...version })}\n`);
  if (header.length <= maxHeaderBytes) return ok(Buffer.concat([header, content]));
  return fail("too-large", `What is said about ${version.path} takes over ${maxHeaderBytes} bytes.`, {
    path: version.path,
    fix: "Shorten author, session or source.",
  });
}

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

export interface VersionContent {
  readonly version: TreeVersion;
  readonly content: Uint8Array;
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
    if (sha256Of(content) !== version.sha256) return damaged(file, "its content does not have its hash");
    return ok({ version, content });
  });
}

/** A version from the bytes of its file; the hash of its content is not checked. */
export function decodeVersion(
  bytes: Uint8Array,
  expected: { readonly path: string; readonly version: number },
): Result<VersionContent> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = buffer.subarray(0, maxHeaderBytes).indexOf(newline);
  if (end === -1) return damaged(expected.path, "it has no header");
  const version = parseHeader(buffer.toString("utf8", 0, end), expected.path, expected);
  if (!version.ok) return version;
  const content = buffer.subarray(end + 1);
  if (content.length !== version.value.bytes)
    return damaged(expected.path, "its content does not have its length");
  return ok({ version: version.value, content });
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
    const version = parseHeader(head.toString("utf8", 0, end), file, expected);
    if (!version.ok) return version;
    const length = end + 1;
    if (length + version.value.bytes === fileBytes) return ok({ version: version.value, length });
    return damaged(file, "its content does not have its length");
  }
  return damaged(file, "it has no header");
}

function parseHeader(
  line: string,
  file: string,
  expected: { readonly path: string; readonly version: number },
): Result<TreeVersion> {
  const fields = parseObject(line);
  if (fields === null) return damaged(file, "its header is not JSON");
  if (typeof fields.v === "number" && fields.v > formatVersion) {
    return fail("newer-format", `${file} was written by a newer version of the program.`, {
      path: file,
      fix: "Update the program.",
    });
  }
  const { v, ...version } = fields;
  const isWhole =
    v === formatVersion &&
    version.version === expected.version &&
    typeof version.at === "string" &&
    typeof version.author === "string" &&
    isSha256(String(version.sha256)) &&
    Number.isSafeInteger(version.bytes) &&
    Number(version.bytes) >= 0 &&
    Number(version.bytes) <= maxTreeFileBytes;
  return isWhole
    ? ok({ ...(version as unknown as TreeVersion), path: expected.path })
    : damaged(file, "its header lacks what a version needs");
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function damaged(file: string, why: string): { readonly ok: false; readonly error: PalimpsestError } {
  return fail("corrupt", `The version in ${file} is damaged: ${why}.`, {
    path: file,
    fix: "Read another version and write it again; the damaged file stays where it is.",
  });
}
