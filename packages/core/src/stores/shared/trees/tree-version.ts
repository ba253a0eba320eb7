import { isCount, isObject, parseJson } from "../../../json/json-values.ts";
import {
  fail,
  ok,
  type PalimpsestError,
  type Result,
  type TreeVersion,
  type TreeWriteOptions,
} from "../../../spec/index.ts";
import { isSha256 } from "../sha256.ts";

/** Limits a text, whoever wrote it. */
export const maxTreeFileBytes = 16 * 1024 * 1024;

const formatVersion = 1;
/** Of the line that says what a version is. */
export const maxHeaderBytes = 64 * 1024;
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

export interface VersionContent {
  readonly version: TreeVersion;
  readonly content: Uint8Array;
}

/** A version from the bytes of its file; the hash of its content is not checked. */
export function decodeVersion(
  bytes: Uint8Array,
  expected: { readonly path: string; readonly version: number },
): Result<VersionContent> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = buffer.subarray(0, maxHeaderBytes).indexOf(newline);
  if (end === -1) return damagedVersion(expected.path, "it has no header");
  const version = parseVersionHeader(buffer.toString("utf8", 0, end), expected.path, expected);
  if (!version.ok) return version;
  const content = buffer.subarray(end + 1);
  if (content.length !== version.value.bytes)
    return damagedVersion(expected.path, "its content does not have its length");
  return ok({ version: version.value, content });
}

export function parseVersionHeader(
  line: string,
  file: string,
  expected: { readonly path: string; readonly version: number },
): Result<TreeVersion> {
  const fields = parseJson(line);
  if (!isObject(fields)) return damagedVersion(file, "its header is not JSON");
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
    isCount(version.bytes) &&
    version.bytes <= maxTreeFileBytes;
  return isWhole
    ? ok({ ...(version as unknown as TreeVersion), path: expected.path })
    : damagedVersion(file, "its header lacks what a version needs");
}

export function damagedVersion(
  file: string,
  why: string,
): { readonly ok: false; readonly error: PalimpsestError } {
  return fail("corrupt", `The version in ${file} is damaged: ${why}.`, {
    path: file,
    fix: "Read another version and write it again; the damaged file stays where it is.",
  });
}

/** A new version's content and fields, all but its number. */
export interface VersionDraft {
  readonly content: Uint8Array;
  readonly author: string;
  readonly session?: string;
  readonly source?: string;
  readonly removed?: true;
}

/** Without content it is a removal. */
export function toVersionDraft(
  path: string,
  { author, session, source, expect }: TreeWriteOptions,
  content: Uint8Array | null,
): Result<VersionDraft> {
  if (typeof author !== "string" || author === "") {
    return fail("invalid-input", `A version of ${path} needs an author.`, {
      path,
      fix: "Name who writes, for example user, agent, dream or import.",
    });
  }
  if (expect !== undefined && !(Number.isSafeInteger(expect) && expect >= 0)) {
    return fail("invalid-input", `${expect} is not a version of ${path}.`, {
      path,
      fix: "Expect the version that was read, or 0 for none.",
    });
  }
  return ok({
    content: content ?? new Uint8Array(0),
    author,
    ...(session === undefined ? {} : { session }),
    ...(source === undefined ? {} : { source }),
    ...(content === null ? { removed: true as const } : {}),
  });
}

/** The state of a tree's file when it is to be written. */
export interface TreeFileState {
  /** Something other than a file that stands where the visible file would be. */
  readonly blocked: PalimpsestError | null;
  /** The highest version number, 0 if there is none. */
  readonly newest: number;
  /** Its header; `null` if there is none or it is damaged. */
  readonly header: TreeVersion | null;
}

type Refusal = { readonly ok: false; readonly error: PalimpsestError };

/** Why a version may not be put on top of what was seen, if so. */
export function refuseWrite(
  path: string,
  { newest, header, blocked }: TreeFileState,
  expected: number | undefined,
  isRemoval: boolean,
): Refusal | null {
  const present = header?.removed ? 0 : newest;
  if (expected !== undefined && expected !== present && expected !== newest) {
    return refuseConflict(path, expected, present);
  }
  if (isRemoval && present === 0) return header === null ? refuseAbsent(path) : refuseRemoved(header);
  return blocked === null || isRemoval ? null : { ok: false, error: blocked };
}

function refuseConflict(path: string, expected: number, present: number): Refusal {
  const found = present === 0 ? "it is not there" : `it is at version ${present}`;
  const seen = expected === 0 ? "was expected not to be there" : `was expected at version ${expected}`;
  return fail("conflict", `${path} ${seen}, but ${found}.`, {
    path,
    fix: "Read it again, plan the change on what it says now, and write with that version.",
    facts: { expected, present },
  });
}

export function refuseAbsent(path: string, version?: number): Refusal {
  const what = version === undefined ? path : `Version ${version} of ${path}`;
  return fail("not-found", `${what} does not exist.`, { path });
}

export function refuseRemoved({ path, version, author, at }: TreeVersion): Refusal {
  return fail("not-found", `${path} was removed by ${author} at ${at}.`, {
    path,
    fix: "An earlier version can still be read.",
    facts: { version, author, at },
  });
}
