import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeyReader } from "./create-key-reader.ts";
import type { Key } from "./pager.ts";

const read = (...chunks: readonly string[]): readonly Key[] => {
  const reader = createKeyReader();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.flush()];
};

describe("createKeyReader", () => {
  it("reads text, and keys by their names", () => {
    expect(read("añ日👩‍👧\r")).toEqual([{ name: "text", text: "añ日👩‍👧" }, { name: "enter" }]);
    const names = (text: string) => read(text).map(({ name }) => name);
    expect(names("\u001b[A\u001bOB\u001b[1;5C\u001b[3~\u001b[5~\u001b[Z")).toEqual([
      "up",
      "down",
      "word-right",
      "delete",
      "page-up",
      "backtab",
    ]);
    expect(names("\u001b\r\u001b[13;2u\u001b[27;2;13~\n")).toEqual(Array(4).fill("newline"));
    expect(names("\u0003\u0004\u000f\u007f\u0017\u001bb")).toEqual([
      "ctrl-c",
      "ctrl-d",
      "ctrl-o",
      "backspace",
      "delete-word",
      "word-left",
    ]);
  });

  it("tells an escape alone from one that begins something", () => {
    expect(read("\u001b")).toEqual([{ name: "escape" }]);
    expect(read("\u001b", "[A")).toEqual([{ name: "up" }]);
    expect(read("\u001b[", "1;", "5D")).toEqual([{ name: "word-left" }]);
  });

  it("takes a paste for one text, whatever is in it, however it comes", () => {
    const text = "one\ntwo \u001b[A \u0003 three";
    const all = `\u001b[200~${text}\u001b[201~x`;
    const wanted = [
      { name: "paste", text },
      { name: "text", text: "x" },
    ];
    expect(read(all)).toEqual(wanted);
    fc.assert(
      fc.property(fc.array(fc.nat(all.length), { maxLength: 6 }), (cuts) => {
        const positions = [0, ...[...cuts].sort((a, b) => a - b), all.length];
        const chunks = positions.slice(1).map((end, at) => all.slice(positions[at], end));
        expect(read(...chunks)).toEqual(wanted);
      }),
    );
  });

  it("never takes a control for text, and never throws", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (chunks) => {
        for (const key of read(...chunks)) if (key.name === "text") expect(key.text).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
