import { markOf, type TextEncoding } from "../reading/text-encoding.ts";

/**
 * A text file as a string of units that gives back its very bytes, whatever they are: bytes that are no UTF-8 and lone
 * surrogates included. Line ends are themselves among the units.
 */
export interface EditableText {
  readonly units: string;
  toUnits(text: string): string;
  toText(units: string): string;
  toBytes(units: string): Uint8Array;
}

export function editableText(bytes: Uint8Array, encoding: TextEncoding): EditableText {
  const mark = markOf(encoding);
  const body = Buffer.from(bytes.subarray(mark.length));
  if (encoding === "utf-16le" || encoding === "utf-16be") return wideText(mark, body, encoding);
  return {
    units: body.toString("latin1"),
    toUnits: (text) => Buffer.from(text, "utf8").toString("latin1"),
    toText: (units) => Buffer.from(units, "latin1").toString("utf8"),
    toBytes: (units) => Buffer.concat([mark, Buffer.from(units, "latin1")]),
  };
}

function wideText(mark: Uint8Array, body: Buffer, encoding: TextEncoding): EditableText {
  const evenLength = body.length - (body.length % 2);
  const half = body.subarray(evenLength);
  const inOrder = (pairs: Buffer) => (encoding === "utf-16be" ? Buffer.from(pairs).swap16() : pairs);
  return {
    units: inOrder(body.subarray(0, evenLength)).toString("utf16le"),
    toUnits: (text) => text,
    toText: (units) => units.toWellFormed(),
    toBytes: (units) => Buffer.concat([mark, inOrder(Buffer.from(units, "utf16le")), half]),
  };
}
