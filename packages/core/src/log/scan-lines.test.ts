import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fail, ok } from "../spec/index.ts";
import { type ByteSource, chunkBytes, scanLines } from "./scan-lines.ts";

/** Gives at most `step` bytes a read, as a real file may. */
function sourceOf(bytes: Uint8Array, step = chunkBytes): ByteSource {
  return {
    async read(position, into) {
      const part = bytes.subarray(position, position + Math.min(step, into.length));
      into.set(part);
      return ok(part.length);
    },
  };
}

async function scan(
  bytes: Uint8Array,
  options: { step?: number; maxLineBytes?: number; from?: number; until?: number } = {},
) {
  const lines: (readonly [number, string])[] = [];
  const long: (readonly [number, number])[] = [];
  const scanned = await scanLines(
    sourceOf(bytes, options.step),
    (buffer, start, end, offset) => lines.push([offset, buffer.toString("latin1", start, end)]),
    {
      from: options.from ?? 0,
      until: options.until,
      maxLineBytes: options.maxLineBytes ?? 1 << 20,
      onLongLine: (offset, size) => long.push([offset, size]),
    },
  );
  if (!scanned.ok) throw scanned.error;
  return { lines, long, ...scanned.value, tail: scanned.value.tail?.toString("latin1") ?? null };
}

describe("scanLines", () => {
  it("splits on the byte \\n only, wherever reads end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "binary" }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 50 }),
        async (texts, step) => {
          const bytes = Buffer.from(texts.join("\n"));
          const parts = bytes.toString("latin1").split("\n");
          const tail = parts.pop() ?? "";
          let offset = 0;
          const expected = parts.map((part) => {
            const place = [offset, part] as const;
            offset += part.length + 1;
            return place;
          });
          const { lines, long, ...rest } = await scan(bytes, { step });
          expect({ lines, long, ...rest }).toEqual({
            lines: expected,
            long: [],
            end: offset,
            tailBytes: tail.length,
            tail,
          });
        },
      ),
    );
  });

  it("passes over a line that is too long, and goes on behind it", async () => {
    const bytes = Buffer.from(`one\n${"x".repeat(5000)}\ntwo\n`);
    expect(await scan(bytes, { step: 100, maxLineBytes: 1000 })).toEqual({
      lines: [
        [0, "one"],
        [5005, "two"],
      ],
      long: [[4, 5000]],
      end: 5009,
      tailBytes: 0,
      tail: "",
    });
  });

  it("reports a last line that is too long without keeping it", async () => {
    const bytes = Buffer.from(`one\n${"x".repeat(5000)}`);
    expect(await scan(bytes, { step: 100, maxLineBytes: 1000 })).toMatchObject({
      end: 4,
      tailBytes: 5000,
      tail: null,
    });
  });

  it("grows for a line longer than its buffer", async () => {
    const long = "y".repeat(3 * chunkBytes + 7);
    const { lines } = await scan(Buffer.from(`a\n${long}\nb\n`), { maxLineBytes: 8 * chunkBytes });
    expect(lines.map(([offset, text]) => [offset, text.length])).toEqual([
      [0, 1],
      [2, long.length],
      [3 + long.length, 1],
    ]);
  });

  it("begins and ends where it is told to", async () => {
    expect((await scan(Buffer.from("a\nb\nc\nd\n"), { from: 2, until: 6 })).lines).toEqual([
      [2, "b"],
      [4, "c"],
    ]);
  });

  it("gives back a failing read instead of calling it the end", async () => {
    const source: ByteSource = { read: async () => fail("io", "the disk is ill") };
    const scanned = await scanLines(source, () => undefined, {
      from: 0,
      maxLineBytes: 10,
      onLongLine: () => undefined,
    });
    expect(scanned).toMatchObject({ ok: false, error: { code: "io" } });
  });

  it("stops when aborted", async () => {
    const signal = AbortSignal.abort();
    const options = { from: 0, maxLineBytes: 10, onLongLine: () => undefined, signal };
    const scanned = await scanLines(sourceOf(Buffer.from("a\n")), () => undefined, options);
    expect(scanned).toMatchObject({ ok: false, error: { code: "aborted" } });
  });
});
