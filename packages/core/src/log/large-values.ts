import { createHash } from "node:crypto";
import {
  type BlobLocation,
  type BlobRef,
  type BlobStore,
  type Entry,
  type EntryDraft,
  fail,
  type Message,
  ok,
  type PalimpsestError,
  type Result,
} from "../spec/index.ts";

/** A field of a content block that is larger than this is stored as a blob. */
export const inlineLimitBytes = 64 * 1024;

export interface LargeValue {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

type Path = readonly (string | number)[];
type Tree = Record<string | number, unknown>;

/** Where an entry may hold messages, and so content blocks. */
function messagePaths(body: EntryDraft): readonly { readonly path: Path; readonly message: Message }[] {
  if (body.kind === "message") return [{ path: ["message"], message: body.message }];
  if (body.kind !== "decision" || body.decision.type !== "compact") return [];
  const { summary, attachments } = body.decision;
  return [
    ...(summary ? [{ path: ["decision", "summary"], message: summary }] : []),
    ...attachments.map((message, index) => ({ path: ["decision", "attachments", index], message })),
  ];
}

/**
 * The draft with its large values replaced by `BlobRef`s, and those values. Nothing is cut or re-encoded: text that
 * is well-formed is stored as it is, everything else as JSON.
 */
export function extractLargeValues<Draft extends EntryDraft>(
  draft: Draft,
): {
  readonly draft: Draft & { readonly blobs?: readonly BlobLocation[] };
  readonly values: readonly LargeValue[];
} {
  const locations: BlobLocation[] = [];
  const values: LargeValue[] = [];
  const refs: { readonly path: Path; readonly ref: BlobRef }[] = [];

  function setAside(path: Path, { bytes, as }: EncodedValue): void {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    values.push({ sha256, bytes });
    locations.push({ path, as });
    refs.push({ path, ref: { blob: sha256, bytes: bytes.length, lines: countLines(bytes) } });
  }

  for (const { path, message } of messagePaths(draft)) {
    if (typeof message.content === "string") {
      const large = encodeLarge(message.content);
      if (large) setAside([...path, "content"], large);
      continue;
    }
    for (const [index, block] of message.content.entries()) {
      for (const field of Object.keys(block)) {
        const large = encodeLarge((block as Tree)[field]);
        if (large) setAside([...path, "content", index, field], large);
      }
    }
  }
  if (refs.length === 0) return { draft, values };
  const replaced = refs.reduce<unknown>((tree, { path, ref }) => withValue(tree, path, ref), draft) as Draft;
  return { draft: { ...replaced, blobs: locations }, values };
}

/**
 * The entry as it was before `extractLargeValues`. With `onMissing`, a value that cannot be read does not fail the
 * entry: what the function gives is said in its place, so that what is left is still a message that can be sent.
 */
export async function inlineLargeValues(
  entry: Entry,
  session: string,
  blobs: BlobStore,
  onMissing?: (ref: BlobRef, error: PalimpsestError) => string,
): Promise<Result<Entry>> {
  if (!entry.blobs) return ok(entry);
  let tree: unknown = entry;
  /** Blocks that give way as a whole: one of their values is gone. */
  const replaced = new Set<string>();
  for (const { path, as } of entry.blobs) {
    const ref = valueAt(tree, path) as BlobRef | undefined;
    if (typeof ref?.blob !== "string") {
      if (onMissing || replaced.has(blockKey(path))) continue;
      return fail("corrupt", `Entry ${entry.id} names a blob at ${path.join(".")} and has none there.`, {
        path: entry.id,
      });
    }
    const bytes = await blobs.get(session, ref.blob);
    if (!bytes.ok) {
      if (!onMissing) return bytes;
      tree = withoutValue(tree, path, onMissing(ref, bytes.error));
      replaced.add(blockKey(path));
      continue;
    }
    const text = Buffer.from(bytes.value).toString("utf8");
    tree = withValue(tree, path, as === "json" ? JSON.parse(text) : text);
  }
  const { blobs: _places, ...whole } = tree as Entry;
  return ok(whole as Entry);
}

const blockKey = (path: Path) => JSON.stringify(path.slice(0, -1));

/** A text where the value was, if it was one; else the whole block is replaced by the text. */
function withoutValue(tree: unknown, path: Path, text: string): unknown {
  const field = path.at(-1);
  const holder = valueAt(tree, path.slice(0, -1)) as Tree | undefined;
  const isText = holder?.type === "text" && field === "text";
  const isResult = holder?.type === "tool_result" && field === "content";
  const isMessage = typeof path.at(-2) !== "number";
  if (isText || isResult || isMessage) return withValue(tree, path, text);
  if (holder?.type === "tool_use" && field === "input") return withValue(tree, path, { unreadable: text });
  return withValue(tree, path.slice(0, -1), { type: "text", text });
}

/** The entry with its large values left out, for those who cannot wait for them. */
export function omitLargeValues(entry: Entry): Entry {
  return (entry.blobs ?? []).reduce<unknown>((tree, { path }) => withValue(tree, path, ""), entry) as Entry;
}

/** Stores an entry's large values; the draft that comes back may be appended once they are stored. */
export async function storeLargeValues(
  draft: EntryDraft,
  session: string,
  blobs: BlobStore,
  options: { readonly durable: boolean },
): Promise<Result<EntryDraft>> {
  const extracted = extractLargeValues(draft);
  for (const { bytes } of extracted.values) {
    const stored = await blobs.put(session, bytes, options);
    if (!stored.ok) return stored;
  }
  return ok(extracted.draft);
}

interface EncodedValue {
  readonly bytes: Buffer;
  readonly as: BlobLocation["as"];
}

/** `null` for what is small. */
function encodeLarge(value: unknown): EncodedValue | null {
  if (typeof value === "string") {
    if (value.length * 3 <= inlineLimitBytes) return null;
    const as = value.isWellFormed() ? "text" : "json";
    const bytes = Buffer.from(as === "text" ? value : JSON.stringify(value));
    return bytes.length > inlineLimitBytes ? { bytes, as } : null;
  }
  if (typeof value !== "object" || value === null) return null;
  const json = JSON.stringify(value);
  if (json.length * 3 <= inlineLimitBytes) return null;
  const bytes = Buffer.from(json);
  return bytes.length > inlineLimitBytes ? { bytes, as: "json" } : null;
}

function countLines(bytes: Buffer): number {
  let lines = bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  return lines;
}

function valueAt(tree: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => (value as Tree | undefined)?.[part], tree);
}

/** A copy of `tree` with `value` at `path`; what is not on the path is shared. */
function withValue(tree: unknown, path: Path, value: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  const copy = (Array.isArray(tree) ? [...tree] : { ...(tree as Tree) }) as Tree;
  copy[part] = withValue(copy[part], rest, value);
  return copy;
}
