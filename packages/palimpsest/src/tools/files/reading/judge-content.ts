import { createTextDecoder, encodingOf, type TextEncoding } from "./text-encoding.ts";

export type ContentJudgement =
  | { readonly kind: "text"; readonly encoding: TextEncoding }
  | { readonly kind: "image"; readonly mediaType: string }
  | { readonly kind: "pdf" }
  /** Its likely type, for a person. */
  | { readonly kind: "binary"; readonly type: string };

/** How much of a file is judged. */
export const judgedBytes = 64 * 1024;

/** Text may be in an old encoding, or hold a few damaged bytes; with more that is no text it is none. */
const maxStrangeShare = 0.3;

/** The beginning of a file, or bytes at an offset. */
interface Magic {
  readonly type: string;
  readonly bytes: string;
  readonly at?: number;
}

const images: readonly Magic[] = [
  { type: "image/png", bytes: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", bytes: "\xff\xd8\xff" },
  { type: "image/gif", bytes: "GIF87a" },
  { type: "image/gif", bytes: "GIF89a" },
  { type: "image/webp", bytes: "WEBPVP8", at: 8 },
];

const binaries: readonly Magic[] = [
  { type: "an ELF program or library", bytes: "\x7fELF" },
  { type: "a ZIP archive (or a format made of one)", bytes: "PK\x03\x04" },
  { type: "gzip-compressed", bytes: "\x1f\x8b" },
  { type: "an xz archive", bytes: "\xfd7zXZ" },
  { type: "a Zstandard archive", bytes: "\x28\xb5\x2f\xfd" },
  { type: "an SQLite database", bytes: "SQLite format 3\0" },
  { type: "a WebAssembly module", bytes: "\0asm" },
  { type: "a Windows program or library", bytes: "MZ" },
  { type: "a Mach-O program", bytes: "\xcf\xfa\xed\xfe" },
  { type: "a Java class, or a Mach-O program", bytes: "\xca\xfe\xba\xbe" },
  { type: "a tar archive", bytes: "ustar", at: 257 },
];

/** The type of a file, by its beginning and never by its name. */
export function judgeContent(head: Uint8Array): ContentJudgement {
  const start = Buffer.from(head.subarray(0, 512)).toString("latin1");
  const isAt = ({ bytes, at = 0 }: Magic) => start.startsWith(bytes, at);
  const image = images.find(isAt);
  if (image) return { kind: "image", mediaType: image.type };
  if (start.startsWith("%PDF-")) return { kind: "pdf" };
  const encoding = encodingOf(head);
  if (isText(head, encoding)) return { kind: "text", encoding };
  return { kind: "binary", type: binaries.find(isAt)?.type ?? "of an unknown type" };
}

const usualControls = "\t\n\v\f\r\b\u001b";

function isText(head: Uint8Array, encoding: TextEncoding): boolean {
  const text = createTextDecoder(encoding).decode(head, { stream: true });
  if (text.includes("\0")) return false;
  const strange = (text.match(/[\p{Cc}\ufffd]/gu) ?? []).filter(
    (char) => !usualControls.includes(char),
  ).length;
  return strange <= text.length * maxStrangeShare;
}
