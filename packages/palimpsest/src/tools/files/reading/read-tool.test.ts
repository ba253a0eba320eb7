import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, symlink, truncate } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { beginFileTools } from "../../../../../../test/support/file-tools.ts";
import { type FileSystem, nodeFileSystem } from "../index.ts";

const isRoot = process.getuid?.() === 0;
const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Counts what is read, and how much at once. */
function countingFileSystem() {
  const counts = { bytes: 0, largest: 0, reads: 0 };
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    async open(path) {
      const opened = await nodeFileSystem.open(path);
      if (!opened.ok) return opened;
      const file = opened.value;
      return {
        ok: true,
        value: {
          ...file,
          async read(position, maxBytes) {
            const piece = await file.read(position, maxBytes);
            counts.reads += 1;
            counts.largest = Math.max(counts.largest, maxBytes);
            if (piece.ok) counts.bytes += piece.value.length;
            return piece;
          },
        },
      };
    },
  };
  return { counts, fileSystem };
}

describe("Read of text", () => {
  it("gives numbered lines and a stamp of the whole file", async () => {
    const bench = await beginFileTools();
    const path = await bench.put("a.txt", "one\ntwo\n");
    const outcome = await bench.call("Read", { file_path: "a.txt" });
    expect(outcome).toEqual({
      content: "1\tone\n2\ttwo",
      files: [{ path, sha256: sha256("one\ntwo\n"), bytes: 8, modifiedMs: expect.any(Number) }],
    });
  });

  it("pages by lines, and says where to go on", async () => {
    const bench = await beginFileTools();
    await bench.put("a.txt", "one\ntwo\nthree\nfour\n");
    expect(await bench.textOf("Read", { file_path: "a.txt", offset: 2, limit: 2 })).toBe(
      "2\ttwo\n3\tthree\n[Lines 2 to 3 of 4. Go on with offset 4.]",
    );
    expect(await bench.textOf("Read", { file_path: "a.txt", offset: 4 })).toBe(
      "4\tfour\n[Lines 4 to 4 of 4.]",
    );
    expect(await bench.textOf("Read", { file_path: "a.txt", offset: 9 })).toBe(
      `ERROR: ${bench.folder}/a.txt has 4 lines; offset 9 is behind its end. Use an offset from 1 to 4.`,
    );
  });

  it("ends a page at its characters, never inside a line", async () => {
    const bench = await beginFileTools({ limits: { pageChars: 30 } });
    await bench.put("a.txt", "0123456789\n".repeat(5));
    expect(await bench.textOf("Read", { file_path: "a.txt" })).toBe(
      "1\t0123456789\n2\t0123456789\n[Lines 1 to 2 of 5. Go on with offset 3.]",
    );
  });

  it("says that a file is empty", async () => {
    const bench = await beginFileTools();
    await bench.put("a.txt", "");
    await bench.put("b.txt", "\ufeff");
    expect(await bench.textOf("Read", { file_path: "a.txt" })).toBe(
      `(${bench.folder}/a.txt is empty: it has no text.)`,
    );
    expect(await bench.textOf("Read", { file_path: "b.txt" })).toMatch(/is empty/);
    expect(bench.stamps.size).toBe(2);
  });

  it("shows neither byte order mark nor CR, and says so of the CR", async () => {
    const bench = await beginFileTools();
    await bench.put("crlf.txt", "\ufeffone\r\ntwo\r\n");
    await bench.put("mixed.txt", "one\r\ntwo\nthree");
    expect(await bench.textOf("Read", { file_path: "crlf.txt" })).toBe(
      "1\tone\n2\ttwo\n[Lines end with CRLF, shown without the CR; Edit keeps it, and takes LF for it.]",
    );
    expect(await bench.textOf("Read", { file_path: "mixed.txt" })).toBe(
      "1\tone\n2\ttwo\n3\tthree\n[1 of the lines end with CRLF, shown without the CR; Edit keeps it, and takes LF for it. The last line has no line end.]",
    );
  });

  it("decodes UTF-16 with a byte order mark, of either order", async () => {
    const bench = await beginFileTools();
    const little = Buffer.from("\ufeffGrüße 🙂\nzwei", "utf16le");
    await bench.put("le.txt", little);
    await bench.put("be.txt", Buffer.from(little).swap16());
    const shown = "1\tGrüße 🙂\n2\tzwei\n[The last line has no line end.]";
    expect(await bench.textOf("Read", { file_path: "le.txt" })).toBe(shown);
    expect(await bench.textOf("Read", { file_path: "be.txt" })).toBe(shown);
  });

  it("reads text in an old encoding, with marks in place of what is no UTF-8", async () => {
    const bench = await beginFileTools();
    await bench.put("old.txt", Buffer.from("Grüße aus München\n", "latin1"));
    expect(await bench.textOf("Read", { file_path: "old.txt" })).toBe("1\tGr\ufffd\ufffde aus M\ufffdnchen");
  });

  it("reads files the system says have no size", async () => {
    const bench = await beginFileTools();
    expect(await bench.textOf("Read", { file_path: "/proc/self/status", limit: 1 })).toMatch(/^1\tName:/);
  });

  it("finds files whose names are not ASCII, and shows control characters in names harmless", async () => {
    const bench = await beginFileTools();
    await bench.put("Ünïcödé 文件 🙂.txt", "da\n");
    expect(await bench.textOf("Read", { file_path: "Ünïcödé 文件 🙂.txt" })).toBe("1\tda");
    await bench.put("a\n\u001b[31mb\u202e.txt", "");
    expect(await bench.textOf("Read", { file_path: "a\n\u001b[31mb\u202e.txt" })).toBe(
      `(${bench.folder}/a\\x0a\\x1b[31mb\\u202e.txt is empty: it has no text.)`,
    );
  });
});

describe("Read of what is large", () => {
  it("reads a page of a gigabyte without reading more than the page needs", async () => {
    const { counts, fileSystem } = countingFileSystem();
    const bench = await beginFileTools({ fileSystem });
    const path = await bench.put("big.log", "a line of the log\n".repeat(20_000));
    await truncate(path, 2 ** 30);
    expect(await bench.textOf("Read", { file_path: "big.log", limit: 2 })).toBe(
      "1\ta line of the log\n2\ta line of the log\n[Lines 1 to 2 of more (the file has 1073741824 bytes). Go on with offset 3.]",
    );
    expect(counts.bytes).toBeLessThan(400_000);
    expect(bench.stamps.size).toBe(0);
  });

  it("goes through a file that is not stamped in pieces of a fixed size", async () => {
    const { counts, fileSystem } = countingFileSystem();
    const bench = await beginFileTools({ fileSystem });
    const path = await bench.put("big.log", "a line of the log\n".repeat(20_000));
    await truncate(path, 2 ** 27);
    expect(await bench.textOf("Read", { file_path: "big.log", offset: 30_000 })).toMatch(/has 20001 lines/);
    expect(counts.bytes).toBeGreaterThan(2 ** 27);
    expect(counts.largest).toBeLessThanOrEqual(256 * 1024);
  });

  it("cuts a line of ten megabytes on a character, and shows the rest by column", async () => {
    const bench = await beginFileTools();
    await bench.put("long.txt", `first\n${"x".repeat(1_999)}🙂${"y".repeat(10_000_000)}z\nlast\n`);
    const text = await bench.textOf("Read", { file_path: "long.txt" });
    const [first, long, last] = text.split("\n");
    expect(first).toBe("1\tfirst");
    expect(long).toBe(
      `2\t${"x".repeat(1_999)}… [10000003 more characters in this line: read it again with column 2000]`,
    );
    expect(last).toBe("3\tlast");
    expect(
      await bench.textOf("Read", { file_path: "long.txt", offset: 2, limit: 1, column: 10_001_999 }),
    ).toBe("2\tyyyz\n[Lines 2 to 2 of 3. Go on with offset 3.]");
    expect(await bench.textOf("Read", { file_path: "long.txt", offset: 2, limit: 1, column: 2_000 })).toMatch(
      /^2\t🙂y+…/u,
    );
    expect(await bench.textOf("Read", { file_path: "long.txt", offset: 2, limit: 1, column: 2_001 })).toMatch(
      /^2\t\ufffdy+…/u,
    );
  });

  it("ends at once when it is aborted", async () => {
    const controller = new AbortController();
    const { counts, fileSystem } = countingFileSystem();
    const aborting: FileSystem = {
      ...fileSystem,
      open: async (path) => {
        controller.abort();
        return fileSystem.open(path);
      },
    };
    const bench = await beginFileTools({ fileSystem: aborting });
    await bench.put("a.txt", "text\n");
    expect(await bench.textOf("Read", { file_path: "a.txt" }, { signal: controller.signal })).toBe(
      "ERROR: The call was interrupted before it was done. Call again if it is still needed.",
    );
    expect(counts.reads).toBe(1);
  });
});

describe("Read of what is no text", () => {
  it("refuses folders, devices, pipes and sockets, and says what to do", async () => {
    const bench = await beginFileTools();
    await mkdir(join(bench.folder, "sub"));
    expect(await bench.textOf("Read", { file_path: "sub" })).toBe(
      `ERROR: ${bench.folder}/sub is a folder, not a file. List it with Glob (pattern *), or with ls in Bash.`,
    );
    expect(await bench.textOf("Read", { file_path: "/dev/zero" })).toBe(
      "ERROR: /dev/zero is a device, not a file. Name a regular file; devices may never end.",
    );
    execFileSync("mkfifo", [join(bench.folder, "pipe")]);
    expect(await bench.textOf("Read", { file_path: "pipe" })).toMatch(/^ERROR: .* is a named pipe/);
    const socket = join(bench.folder, "s.sock");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    onTestFinished(() => void server.close());
    expect(await bench.textOf("Read", { file_path: "s.sock" })).toMatch(/^ERROR: .* is a socket/);
  });

  it("refuses binary files with their type and size", async () => {
    const bench = await beginFileTools();
    await bench.put("a.zip", Buffer.from("504b0304140000000800", "hex"));
    await bench.put("noise", Buffer.from(Array.from({ length: 300 }, (_, at) => 128 + (at % 100))));
    await bench.put("program", Buffer.from("7f454c4602010100", "hex"));
    expect(await bench.textOf("Read", { file_path: "a.zip" })).toMatch(
      /^ERROR: .*a.zip is binary: a ZIP archive .*, 10 bytes\. Look at it with a program in Bash/,
    );
    expect(await bench.textOf("Read", { file_path: "noise" })).toMatch(/of an unknown type, 300 bytes/);
    expect(await bench.textOf("Read", { file_path: "program" })).toMatch(/an ELF program/);
  });

  it("says what is missing", async () => {
    const bench = await beginFileTools();
    await bench.put("secret", "x");
    expect(await bench.textOf("Read", { file_path: "gone.txt" })).toBe(
      `ERROR: Could not look at ${bench.folder}/gone.txt: it does not exist. Check the path, or find it with Glob.`,
    );
    expect(await bench.textOf("Read", { file_path: "secret/x" })).toMatch(
      /a part of the path is not a folder/,
    );
  });

  it.skipIf(isRoot)("says what may not be read (root may read everything: run as another user)", async () => {
    const bench = await beginFileTools();
    await chmod(await bench.put("secret", "x"), 0o000);
    expect(await bench.textOf("Read", { file_path: "secret" })).toMatch(/the system denies access/);
  });
});

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function wide(sidePixels: number): Buffer {
  const image = Buffer.from(png);
  image.writeUInt32BE(sidePixels, 16);
  return image;
}

describe("Read of images and documents", () => {
  it("gives an image as a block, by its bytes and not by its name", async () => {
    const bench = await beginFileTools();
    await bench.put("picture.txt", png);
    const { content, isError } = await bench.call("Read", { file_path: "picture.txt" });
    expect(isError).toBeUndefined();
    expect(content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: png.toString("base64") } },
    ]);
  });

  it("knows JPEG, GIF and WebP", async () => {
    const bench = await beginFileTools();
    const gif = Buffer.from(
      "47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b",
      "hex",
    );
    const webp = Buffer.from("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=", "base64");
    const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffc0000b080001000101011100ffd9", "hex");
    for (const [name, bytes, type] of [
      ["a.gif", gif, "image/gif"],
      ["a.webp", webp, "image/webp"],
      ["a.jpg", jpeg, "image/jpeg"],
    ] as const) {
      await bench.put(name, bytes);
      const { content } = await bench.call("Read", { file_path: name });
      expect(content).toMatchObject([{ type: "image", source: { media_type: type } }]);
    }
  });

  it("refuses images over the limits of the model, and damaged ones", async () => {
    const imageLimits = () => ({ maxBytes: 1_000, maxSidePixels: 100, maxCount: 5 });
    const bench = await beginFileTools({ imageLimits });
    await bench.put("wide.png", wide(101));
    await bench.put("heavy.png", Buffer.concat([png, Buffer.alloc(1_000)]));
    await bench.put("damaged.png", png.subarray(0, 10));
    expect(await bench.textOf("Read", { file_path: "wide.png" })).toBe(
      `ERROR: The image ${bench.folder}/wide.png is too large: 101 pixels a side, over the 100 the API takes. Make a smaller copy with a program in Bash, and read that.`,
    );
    expect(await bench.textOf("Read", { file_path: "heavy.png" })).toMatch(
      /has 1070 bytes, over the 750 this takes\. Make a smaller copy/,
    );
    expect(await bench.textOf("Read", { file_path: "damaged.png" })).toMatch(/is damaged/);
  });

  it("gives a PDF whole, and refuses single pages and large ones", async () => {
    const bench = await beginFileTools({ limits: { pdfBytes: 100 } });
    const pdf = Buffer.from("%PDF-1.7\n%%EOF\n");
    const path = await bench.put("a.pdf", pdf);
    await bench.put("large.pdf", Buffer.concat([pdf, Buffer.alloc(100)]));
    expect((await bench.call("Read", { file_path: "a.pdf" })).content).toEqual([
      { type: "text", text: `${path}, PDF of 15 bytes:` },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: pdf.toString("base64") },
      },
    ]);
    expect(await bench.textOf("Read", { file_path: "a.pdf", pages: "1-3" })).toMatch(
      /^ERROR: Single pages of .* cannot be read: PDF files are read whole\. Call again without pages/,
    );
    expect(await bench.textOf("Read", { file_path: "large.pdf" })).toMatch(/over the 100 this takes/);
  });
});

describe("Read and links", () => {
  it("reads through a link, and stamps where it leads", async () => {
    const bench = await beginFileTools();
    const path = await bench.put("real.txt", "x\n");
    await symlink(path, join(bench.folder, "link.txt"));
    const { files } = await bench.call("Read", { file_path: "link.txt" });
    expect(files?.map((file) => file.path)).toEqual([path]);
  });

  it("says that links lead in a circle", async () => {
    const bench = await beginFileTools();
    await symlink("b", join(bench.folder, "a"));
    await symlink("a", join(bench.folder, "b"));
    expect(await bench.textOf("Read", { file_path: "a" })).toMatch(/^ERROR: .*circle/);
  });

  it("closes what it opened, also after a failure", async () => {
    let openFiles = 0;
    const fileSystem: FileSystem = {
      ...nodeFileSystem,
      async open(path) {
        const opened = await nodeFileSystem.open(path);
        if (!opened.ok) return opened;
        openFiles += 1;
        const close = async () => {
          openFiles -= 1;
          await opened.value.close();
        };
        return { ok: true, value: { ...opened.value, close } };
      },
    };
    const bench = await beginFileTools({ fileSystem });
    await bench.put("a.txt", "x");
    await bench.put("a.bin", "\0");
    await bench.call("Read", { file_path: "a.txt" });
    await bench.call("Read", { file_path: "a.bin" });
    expect(openFiles).toBe(0);
  });
});
