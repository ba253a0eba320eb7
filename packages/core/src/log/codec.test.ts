import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryEntries, messageEntry } from "../../../../test/support/entries.ts";
import { decodeLine, encodeEntry } from "./codec.ts";

const decode = (line: Buffer) => decodeLine(line, 0, line.length);

describe("codec", () => {
  it("gives back every entry as it was", () => {
    fc.assert(
      fc.property(arbitraryEntries, (entries) => {
        for (const entry of entries) {
          const line = encodeEntry(entry);
          expect(line.indexOf("\n")).toBe(line.length - 1);
          expect(decode(line.subarray(0, -1))).toEqual({ outcome: "entry", entry });
        }
      }),
    );
  });

  it("writes lines that any JSON reader understands", () => {
    expect(JSON.parse(encodeEntry(messageEntry(7)).toString())).toMatchObject({
      v: 1,
      seq: 7,
      kind: "message",
    });
  });

  it("notices every single changed byte", () => {
    const line = encodeEntry(messageEntry(1, 'a "quoted" wörd')).subarray(0, -1);
    for (let at = 0; at < line.length; at += 1) {
      const copy = Buffer.from(line);
      copy[at] = (copy[at] ?? 0) ^ 1;
      expect(decode(copy).outcome, `byte ${at}`).toBe("damaged");
    }
  });

  it("reads inside a larger buffer without looking beyond the line", () => {
    const line = encodeEntry(messageEntry(1));
    const buffer = Buffer.concat([Buffer.from("before"), line, Buffer.from("after")]);
    expect(decodeLine(buffer, 6, 6 + line.length - 1)).toEqual({ outcome: "entry", entry: messageEntry(1) });
  });

  it.each([
    ["broken JSON", "{", "it is not JSON"],
    ["an array", "[1]", "its field “v” is missing or of a wrong type"],
    ["a number", "5", "it is not an object"],
    ["a version that is no number", '{"v":"1"}', "its field “v” is missing or of a wrong type"],
    ["a sequence number that is text", '{"v":1,"seq":"1"}', "its field “seq” is missing or of a wrong type"],
    ["a line without checksum", JSON.stringify(messageEntry(1)), "it has no checksum"],
  ])("names what is wrong with %s", (_name, text, reason) => {
    expect(decode(Buffer.from(text))).toEqual({ outcome: "damaged", reason });
  });

  it("checks the body of the kinds it knows and leaves others alone", () => {
    const { message: _message, ...headOnly } = messageEntry(1);
    expect(decode(encodeEntry(headOnly as never).subarray(0, -1))).toEqual({
      outcome: "damaged",
      reason: "its field “message” is missing or of a wrong type",
    });
    const unknown = { ...headOnly, kind: "telemetry" } as never;
    expect(decode(encodeEntry(unknown).subarray(0, -1))).toEqual({ outcome: "entry", entry: unknown });
  });

  it("recognises a newer format, sealed or not", () => {
    const newer = { ...messageEntry(1), v: 2 } as never;
    expect(decode(encodeEntry(newer).subarray(0, -1))).toEqual({
      outcome: "newer",
      version: 2,
      entry: newer,
    });
    expect(decode(Buffer.from('{"v":3}'))).toEqual({ outcome: "newer", version: 3, entry: null });
  });
});
