import {
  type BlobRef,
  type ContentBlock,
  isBlock,
  type LayerIo,
  ok,
  type Result,
  type ToolResultBlock,
} from "../../spec/index.ts";
import { isMedia } from "../../view/projection/message-items.ts";

/** Where a whole result is. */
export interface StoredResult extends BlobRef {
  /** Absent where it could be stored and not be given a name. */
  readonly path?: string;
  readonly mediaPaths: readonly string[];
}

type Io = Pick<LayerIo, "blobs" | "session">;

/** Writes a whole result: a text as it is, blocks as JSON in which media are named by the files they are in. */
export async function storeResult(
  { tool_use_id: id, content }: ToolResultBlock,
  io: Io,
): Promise<Result<StoredResult>> {
  if (content === undefined || typeof content === "string") {
    const stored = await storeFile(encoded(content ?? ""), id, "txt", io);
    return stored.ok ? ok({ ...stored.value, mediaPaths: [] }) : stored;
  }
  const blocks: ContentBlock[] = [];
  const mediaPaths: string[] = [];
  for (const block of content) {
    const path = await mediaPath(block, `${id}-${mediaPaths.length + 1}`, io);
    if (path !== undefined) mediaPaths.push(path);
    blocks.push(path === undefined ? block : { ...block, source: { type: "path", path } });
  }
  const stored = await storeFile(encoded(JSON.stringify(blocks, null, 2)), id, "json", io);
  return stored.ok ? ok({ ...stored.value, mediaPaths }) : stored;
}

/** A block of a prompt as it was stored; of what could not be written only the size is known. */
export interface StoredBlock {
  /** Absent for an image or a document. */
  readonly text?: string;
  readonly bytes: number;
  readonly lines: number;
  readonly path?: string;
  readonly blob?: string;
}

/** Writes a block of a prompt: a text as it is, an image or a document as its own file. */
export async function storeBlock(block: ContentBlock, name: string, io: Io): Promise<StoredBlock> {
  if (!isMedia(block)) {
    const text = isBlock(block, "text") ? block.text : JSON.stringify(block);
    const bytes = encoded(text);
    const stored = await storeFile(bytes, name, "txt", io);
    const size = { bytes: bytes.length, lines: text.split("\n").length };
    return { text, ...size, ...(stored.ok && stored.value) };
  }
  const { source } = block;
  if (source?.type !== "base64" || typeof source.data !== "string")
    return { bytes: encoded(JSON.stringify(block)).length, lines: 1 };
  const { data, media_type: mediaType } = source;
  const bytes = Buffer.from(data, "base64");
  const stored = await storeFile(bytes, name, extensions[mediaType] ?? "bin", io);
  return { bytes: bytes.length, lines: 1, ...(stored.ok && stored.value) };
}

/** The file an image or a document was written to; `undefined` where there is nothing to write, or it failed. */
async function mediaPath(block: ContentBlock, name: string, io: Io): Promise<string | undefined> {
  const source = isMedia(block) ? block.source : undefined;
  if (source?.type !== "base64" || typeof source.data !== "string") return undefined;
  const { data, media_type: mediaType } = source;
  const stored = await storeFile(Buffer.from(data, "base64"), name, extensions[mediaType] ?? "bin", io);
  return stored.ok ? stored.value.path : undefined;
}

type StoredFile = BlobRef & { readonly path?: string };

/** Stored once however often it comes. Where the name is taken by something else, the content's hash is added to it. */
async function storeFile(
  bytes: Uint8Array,
  name: string,
  extension: string,
  io: Io,
): Promise<Result<StoredFile>> {
  const { blobs, session } = io;
  const ref = await blobs.put(session, bytes);
  if (!ref.ok) return ref;
  const { blob } = ref.value;
  const named = await blobs.name(session, blob, `${name}.${extension}`);
  const other =
    !named.ok && named.error.code === "exists"
      ? await blobs.name(session, blob, `${name}-${blob.slice(0, 12)}.${extension}`)
      : named;
  return ok(other.ok && isPath(other.value) ? { ...ref.value, path: other.value } : ref.value);
}

/** An address in a database is for people: the model has no tool that opens it. */
function isPath(address: string): boolean {
  return !address.includes("://");
}

const extensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "application/pdf": "pdf",
};

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
