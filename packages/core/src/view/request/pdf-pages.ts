import { inflateSync } from "node:zlib";

/** Pages stand in the file itself or, since PDF 1.5, in compressed streams of objects. */
const pagePattern = /\/Type\s*\/Page(?![A-Za-z])/g;
const countPattern = /\/Count\s+(\d{1,7})/g;
const objectsPattern = /\/Type\s*\/ObjStm[\s\S]{0,2000}?stream\r?\n/g;
/** No stream of objects in an honest file is larger. */
const maxInflatedBytes = 33_554_432;

/** How many pages a PDF has; 0 where its bytes do not say. Never more than it has where it was edited in place. */
export function pdfPages(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = file.toString("latin1");
  let pages = 0;
  let counted = 0;
  for (const part of [text, ...objectStreams(file, text)]) {
    pages += [...part.matchAll(pagePattern)].length;
    for (const [, count] of part.matchAll(countPattern)) counted = Math.max(counted, Number(count));
  }
  return counted > 0 ? Math.min(pages, counted) : pages;
}

function* objectStreams(file: Buffer, text: string): Generator<string> {
  for (const match of text.matchAll(objectsPattern)) {
    const start = match.index + match[0].length;
    const end = text.indexOf("endstream", start);
    if (end === -1) continue;
    yield inflated(file.subarray(start, end));
  }
}

/** A stream that is damaged, encrypted or coded otherwise says nothing. */
function inflated(stream: Buffer): string {
  try {
    return inflateSync(stream, { maxOutputLength: maxInflatedBytes }).toString("latin1");
  } catch {
    return "";
  }
}
